/// Why an operation is void: the rule that it breaks, and the other operation that decided.
public struct VoidReason<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: Rule
    /// The operation that decided: the revocation, the grant that outranks, what it depends on; nil where none alone
    /// did.
    public let decidedBy: ID?
    /// Of a ratification the entry that breaks the rule: its place in the list of those kept for the rules about
    /// keeping, else in the list of bans. The first is 1.
    public let entry: Int?

    init(_ rule: Rule, by decider: ID? = nil, entry: Int? = nil) {
        self.rule = rule
        decidedBy = decider
        self.entry = entry
    }

    /// The same, said of one entry.
    func of(entry: Int) -> VoidReason { VoidReason(rule, by: decidedBy, entry: entry) }

    /// The same with the deciding operation named otherwise.
    func map<Other>(_ name: (ID) -> Other) -> VoidReason<Other> {
        VoidReason<Other>(rule, by: decidedBy.map(name), entry: entry)
    }
}
