/// Why an operation is void: the rule that it breaks, and the other operation that decided.
public struct Objection<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The rule that is broken.
    public let rule: Rule
    /// The operation that decided: the revocation, the grant that outranks, what it stands on; nil where none alone did.
    public let decidedBy: ID?

    init(_ rule: Rule, by decider: ID? = nil) {
        self.rule = rule
        decidedBy = decider
    }

    /// The same with the deciding operation named otherwise.
    func map<Other>(_ name: (ID) -> Other) -> Objection<Other> {
        Objection<Other>(rule, by: decidedBy.map(name))
    }
}
