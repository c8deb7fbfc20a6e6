/// What an operation that uses authority acts under.
public enum Authority<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The author is the acting admin of the operation's past.
    case acting
    /// A grant, named by the operation that made it and its slot.
    case grant(ID, slot: UInt64)
}

/// What an operation of the membership lane does.
public enum Action<ID: Hashable & Sendable, Person: Hashable & Sendable>: Sendable {
    case create
    case add(Authority<ID>, [Person])
    case invite(Authority<ID>, Person)
    case join(ID)
    case decline(ID)
    case cancel(Authority<ID>, ID)
    case remove(Authority<ID>, Person)
    case promote(Authority<ID>, Person, Tier)
    case demote(Authority<ID>, Person, Tier)
    case set(Authority<ID>, field: String, value: String)
    case ratify(Authority<ID>, keep: [(Person, Tier)], bans: [Person])
    case device
    case merge
    case leave
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
    public let id: ID
    public let author: Person
    public let parents: [ID]
    public let action: Action<ID, Person>

    public init(id: ID, author: Person, parents: [ID], action: Action<ID, Person>) {
        self.id = id
        self.author = author
        self.parents = parents
        self.action = action
    }
}
