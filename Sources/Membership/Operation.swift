/// What an operation that uses authority acts under.
public enum Authority<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The author is the acting admin of the operation's past.
    case acting
    /// A grant, named by the operation that made it and its slot.
    case grant(ID, slot: UInt64)
}

/// What an operation of the membership lane does.
public enum Action<ID: Hashable & Sendable, Person: Hashable & Sendable>: Sendable {
    /// Starts the group: founder and member for its author.
    case create
    /// Makes people members at once.
    case add(Authority<ID>, [Person])
    /// Offers membership.
    case invite(Authority<ID>, Person)
    /// Accepts an invite.
    case join(ID)
    /// Turns an invite down.
    case decline(ID)
    /// Takes an invite back.
    case cancel(Authority<ID>, ID)
    /// Takes a person out.
    case remove(Authority<ID>, Person)
    /// Grants a tier up to admin.
    case promote(Authority<ID>, Person, Tier)
    /// Leaves a person with at most a tier.
    case demote(Authority<ID>, Person, Tier)
    /// Writes a register.
    case set(Authority<ID>, field: String, value: String)
    /// Re-grants and re-bans under the author's own authority.
    case ratify(Authority<ID>, keep: [(Person, Tier)], bans: [Person])
    /// Introduces or renews a device; neither grants nor revokes.
    case device
    /// Joins heads.
    case merge
    /// Gives up everything.
    case leave
    /// Gives up everything above member.
    case stepdown

    /// What it acts under, if it uses authority.
    public var authority: Authority<ID>? {
        switch self {
        case .add(let authority, _), .invite(let authority, _), .cancel(let authority, _), .remove(let authority, _),
            .promote(let authority, _, _), .demote(let authority, _, _), .set(let authority, _, _),
            .ratify(let authority, _, _):
            authority
        case .create, .join, .decline, .device, .merge, .leave, .stepdown: nil
        }
    }

    /// The least tier that may do it.
    var need: Tier {
        switch self {
        case .add, .invite, .cancel, .remove: .moderator
        case .promote, .demote, .set, .ratify: .admin
        case .create, .join, .decline, .device, .merge, .leave, .stepdown: .member
        }
    }

    var isSelfOperation: Bool {
        switch self {
        case .leave, .stepdown: true
        default: false
        }
    }
}

/// An operation of the membership lane.
public struct MembershipOperation<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>:
    Sendable
{
    /// Its name.
    public let id: ID
    /// Who wrote it.
    public let author: Person
    /// The operations of the lane its author names as seen.
    public let parents: [ID]
    /// What it does.
    public let action: Action<ID, Person>

    /// Describes an operation.
    public init(id: ID, author: Person, parents: [ID], action: Action<ID, Person>) {
        self.id = id
        self.author = author
        self.parents = parents
        self.action = action
    }
}
