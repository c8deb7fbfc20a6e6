import Membership

/// Why an operation is void, as a story expects it.
struct Reason: Equatable, CustomStringConvertible {
    private let rule: Rule
    private let decider: OperationName?
    private let entry: Int?

    /// The rule that the operation breaks, and the operation that decided; nil where no single one did. Of a
    /// ratification also which entry breaks it.
    init(_ rule: Rule, by decider: OperationName? = nil, entry: Int? = nil) {
        self.rule = rule
        self.decider = decider
        self.entry = entry
    }

    /// What a resolver objected.
    init(_ voidReason: VoidReason<OperationName>) {
        self.init(voidReason.rule, by: voidReason.decidedBy, entry: voidReason.entry)
    }

    /// Some authority behind the operation was taken away.
    static func revoked(by revocation: OperationName) -> Reason { Reason(.revoked, by: revocation) }

    /// The authority of who made the invite was taken away.
    static func inviterRevoked(by revocation: OperationName) -> Reason { Reason(.inviterRevoked, by: revocation) }

    /// Somebody weighs too much for it, by the grant that the operation named here made.
    static func outranked(by grant: OperationName) -> Reason { Reason(.outranked, by: grant) }

    /// The same, said of one entry of a ratification.
    func of(entry: Int) -> Reason { Reason(rule, by: decider, entry: entry) }

    /// It stands on an operation that is void.
    static func grantVoid(_ maker: OperationName) -> Reason { Reason(.grantVoid, by: maker) }

    var description: String { "\(rule.rawValue) by \(decider ?? "its own past"), entry \(entry ?? 0)" }
}
