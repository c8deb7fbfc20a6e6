/// What a grant lets its holder do, lowest first.
public enum Role: Int8, Hashable, Comparable, Sendable, CaseIterable {
    case member, moderator, admin, founder

    /// A higher role is greater.
    public static func < (left: Role, right: Role) -> Bool { left.rawValue < right.rawValue }

    /// The word for it.
    public var name: String {
        switch self {
        case .member: "member"
        case .moderator: "moderator"
        case .admin: "admin"
        case .founder: "founder"
        }
    }

    /// Reads the word for a role.
    public init?(name: String) {
        guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
        self = role
    }
}
