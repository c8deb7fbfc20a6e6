/// What holds for every graph, whoever lied.
enum Law: CaseIterable {
    /// Operations judged one after the other and all at once get the same verdicts, for the same reasons, and the same
    /// state.
    case incrementalEqualsFull
    /// So they do after each single one of them.
    case alwaysEqualsFull
    /// The order of arrival is irrelevant.
    case anyOrder
    /// An operation changes verdicts on operations of strictly lower rank only.
    case nonInterference
    /// What is written on a device that was revoked counts where it is pinned, or kept by somebody else's revocation,
    /// and nowhere else.
    case devicesFall
    /// Whoever grants outranks what they grant.
    case granterOutranks
    /// What an effective removal had seen alive is gone.
    case removalTakes
    /// The sets of grants say the same as the list of members.
    case setsAgree
    /// The members in a part of the graph, as it grows, are those of a graph that is no more than this part.
    case partsStandAlone
    /// Whoever holds a part of the graph, and what makes void or keeps what is there, judges it as everybody does.
    case proofsSuffice
    /// Whoever asks again only about what settling names knows all verdicts, with their reasons.
    case changesAreNamed
    /// Nothing comes in twice, nor before its parents.
    case refusal
    /// A copy of a resolver is another resolver.
    case copies

    /// The laws that every graph is tried by; the others cost many evaluations, or hardly depend on the graph.
    static let essential: [Law] = [
        .incrementalEqualsFull, .anyOrder, .nonInterference, .devicesFall, .granterOutranks, .partsStandAlone,
        .proofsSuffice,
        .changesAreNamed,
    ]
}
