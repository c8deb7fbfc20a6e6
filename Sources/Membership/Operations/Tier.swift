/// What a grant lets its holder do, lowest first.
public enum Tier: Int8, Hashable, Comparable, Sendable, CaseIterable {
    case member, moderator, admin, founder

    /// A higher tier is greater.
    public static func < (left: Tier, right: Tier) -> Bool { left.rawValue < right.rawValue }

    /// The word for it.
    public var name: String {
        switch self {
        case .member: "member"
        case .moderator: "moderator"
        case .admin: "admin"
        case .founder: "founder"
        }
    }

    /// Reads the word for a tier.
    public init?(name: String) {
        guard let tier = Tier.allCases.first(where: { $0.name == name }) else { return nil }
        self = tier
    }
}
