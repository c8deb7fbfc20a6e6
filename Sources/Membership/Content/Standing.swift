/// By what right a person writes content after a part of the graph.
///
/// A part may leave out what makes a grant void. Somebody who was removed could else name such a part, bring people in
/// and give them a say. So a grant counts here only if its operation is effective in the whole graph, too.
public enum Standing<ID: Hashable & Sendable>: Hashable, Sendable {
    /// They are no member there.
    case outsider
    /// They are a member there by what is void in the whole: of the operations that made them one, the earliest.
    case void(ID)
    /// The highest role that is left of their grants that count; admin for the acting admin.
    case role(Role)

    /// The role, if they have one.
    public var role: Role? {
        switch self {
        case .outsider, .void: nil
        case .role(let role): role
        }
    }
}

extension MembershipResolver {
    /// By what right a person writes content after a part of the graph.
    ///
    /// - Parameters:
    ///   - role: what they are in the part, as ``members(in:)`` says it; nil for no member.
    ///   - grants: theirs in the part, as ``grants(of:in:)`` says them.
    ///   - isInPart: whether an operation is in the part; asked for the acting admin only.
    /// - Complexity: O(*g*) in the grants; for the acting admin O(*G* · *r*) in all grants of admins, and what was
    ///   taken from these.
    public func standing(
        as role: Role?, by grants: [(maker: ID, remaining: Role?)], where isInPart: (ID) -> Bool
    ) -> Standing<ID> {
        guard let role else { return .outsider }
        let current = unsettled.isEmpty ? current : settled.current
        let counting = grants.filter { directory.number(of: $0.maker).map(current.counts) ?? false }
        // The acting admin is one without a grant that says so.
        let isActing = role >= .admin && !grants.contains { $0.remaining.map { $0 >= .admin } ?? false }
        if isActing, !counting.isEmpty, isOfficeVacant(in: current, where: isInPart) { return .role(role) }
        if let left = counting.compactMap(\.remaining).max() { return .role(left) }
        let live = grants.filter { $0.remaining != nil }
        return earliest(of: (live.isEmpty ? grants : live).map(\.maker)).map { .void($0) } ?? .outsider
    }

    /// Whether nobody would be admin in a part of the graph by what is effective in the whole: else somebody could let
    /// others act as admin for good by a departure that is void.
    private func isOfficeVacant(in whole: Evaluation, where isInPart: (ID) -> Bool) -> Bool {
        var whole = whole
        let history = whole.history
        for grant in history.grants.indices where history.grants[grant].role >= .admin {
            let maker = history.grants[grant].operation
            guard whole.counts(maker), isInPart(directory.operations[maker]) else { continue }
            let isLost = whole.revocations(reaching: grant).contains {
                $0.floor < .admin && isInPart(directory.operations[$0.operation])
            }
            if !isLost { return false }
        }
        return true
    }

    /// Of some operations that are here the one of the smallest depth, then of the smallest id: every replica names the
    /// same one.
    public func earliest(of operations: some Sequence<ID>) -> ID? {
        operations.compactMap { directory.number(of: $0) }.min { current.history.isEarlier($0, than: $1) }
            .map { directory.operations[$0] }
    }

    /// Some operations that are here, each before those of which it is the ``earliest(of:)``.
    public func earliestFirst(_ operations: some Sequence<ID>) -> [ID] {
        operations.compactMap { directory.number(of: $0) }.sorted { current.history.isEarlier($0, than: $1) }
            .map { directory.operations[$0] }
    }
}
