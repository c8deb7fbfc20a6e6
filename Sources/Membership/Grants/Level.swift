/// What is left of a grant: a tier, or nothing.
enum Level: Int8, Hashable, Comparable, Sendable {
    case gone = -1
    case member, moderator, admin, founder

    /// Everything a tier gives.
    init(_ tier: Tier) {
        switch tier {
        case .member: self = .member
        case .moderator: self = .moderator
        case .admin: self = .admin
        case .founder: self = .founder
        }
    }

    /// The tier that is left, if any.
    var tier: Tier? { Tier(rawValue: rawValue) }

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    /// Whether it suffices for what needs a tier.
    func suffices(for tier: Tier) -> Bool { rawValue >= tier.rawValue }
}
