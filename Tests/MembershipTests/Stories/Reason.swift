import Membership

/// Why a deed is void, as a story expects it.
struct Reason: Equatable, CustomStringConvertible {
    private let rule: Rule
    private let decider: Deed?
    private let entry: Int?

    /// The rule that the deed breaks, and the deed that decided; nil where no single one did. Of a ratification also which entry breaks it.
    init(_ rule: Rule, by decider: Deed? = nil, entry: Int? = nil) {
        self.rule = rule
        self.decider = decider
        self.entry = entry
    }

    /// What a resolver objected.
    init(_ objection: Objection<Deed>) {
        self.init(objection.rule, by: objection.decidedBy, entry: objection.entry)
    }

    /// Some authority behind the deed was taken away.
    static func revoked(by revocation: Deed) -> Reason { Reason(.revoked, by: revocation) }

    /// The authority of who made the invite was taken away.
    static func inviterRevoked(by revocation: Deed) -> Reason { Reason(.inviterRevoked, by: revocation) }

    /// Somebody weighs too much for it, by the grant that the deed named here made.
    static func outranked(by grant: Deed) -> Reason { Reason(.outranked, by: grant) }

    /// The same, said of one entry of a ratification.
    func of(entry: Int) -> Reason { Reason(rule, by: decider, entry: entry) }

    /// It stands on a deed that is void.
    static func grantVoid(_ maker: Deed) -> Reason { Reason(.grantVoid, by: maker) }

    var description: String { "\(rule.rawValue) by \(decider ?? "its own past"), entry \(entry ?? 0)" }
}
