/// What is left of a grant: a role, or nothing.
enum RemainingRole: Int8, Hashable, Comparable, Sendable {
    case gone = -1
    case member, moderator, admin, founder

    /// Everything a role gives.
    init(_ role: Role) {
        switch role {
        case .member: self = .member
        case .moderator: self = .moderator
        case .admin: self = .admin
        case .founder: self = .founder
        }
    }

    /// The role that is left, if any.
    var role: Role? { Role(rawValue: rawValue) }

    static func < (left: RemainingRole, right: RemainingRole) -> Bool { left.rawValue < right.rawValue }

    /// Whether it suffices for what needs a role.
    func suffices(for role: Role) -> Bool { rawValue >= role.rawValue }
}
