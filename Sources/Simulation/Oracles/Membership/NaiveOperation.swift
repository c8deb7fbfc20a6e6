/// An operation of the membership lane, reduced to what the rules of membership look at.
///
/// Names of operations and people are of any type, so that the simulator's operations and the symbolic ones of
/// scenario files are judged by the same code.
package struct NaiveOperation<ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable>: Sendable
{
    /// Its name.
    package let id: ID
    /// The user who wrote it.
    package let author: Person
    /// The device on which they wrote it, by its bytes; nil where nobody asks.
    package let device: [UInt8]?
    /// What it names as seen.
    package let parents: [ID]
    /// What it does.
    package let action: NaiveAction<ID, Person>

    /// Describes an operation.
    package init(
        id: ID, author: Person, device: [UInt8]? = nil, parents: [ID], action: NaiveAction<ID, Person>
    ) {
        self.id = id
        self.author = author
        self.device = device
        self.parents = parents
        self.action = action
    }
}

/// What an operation does. Records and pins of content are left out: they decide nothing here.
package enum NaiveAction<ID: Hashable & Sendable, Person: Hashable & Sendable>: Hashable, Sendable {
    case create
    case add(under: NaiveAuthority<ID>, targets: [Person])
    /// Without a target, of whoever holds a code.
    case invite(under: NaiveAuthority<ID>, target: Person?)
    case join(invite: ID?)
    case decline(invite: ID?)
    case cancel(under: NaiveAuthority<ID>, invite: ID?)
    case remove(under: NaiveAuthority<ID>, target: Person)
    case promote(under: NaiveAuthority<ID>, target: Person, role: NaiveRole)
    case demote(under: NaiveAuthority<ID>, target: Person, role: NaiveRole)
    case set(under: NaiveAuthority<ID>, field: [UInt8], value: [UInt8])
    case ratify(under: NaiveAuthority<ID>, keep: [NaiveKeep<Person>], bans: [Person])
    case device
    case revoke(of: Person, device: [UInt8], pins: [ID])
    /// Also every type that this version does not know.
    case merge
    case leave
    case stepdown

    /// What it acts under, if it uses authority.
    var authority: NaiveAuthority<ID>? {
        switch self {
        case .add(let under, _), .invite(let under, _), .cancel(let under, _), .remove(let under, _),
            .promote(let under, _, _), .demote(let under, _, _), .set(let under, _, _), .ratify(let under, _, _):
            under
        case .create, .join, .decline, .device, .revoke, .merge, .leave, .stepdown: nil
        }
    }

    /// The role it needs at least, if it uses authority: the table of the specification.
    var roleNeeded: NaiveRole? {
        switch self {
        case .add, .invite, .cancel, .remove: .moderator
        case .promote, .demote, .set, .ratify: .admin
        case .create, .join, .decline, .device, .revoke, .merge, .leave, .stepdown: nil
        }
    }

    /// Whether it takes something away from others and so needs the whole role of the grant it acts under.
    var takesFromOthers: Bool {
        switch self {
        case .remove, .demote, .cancel, .ratify: true
        case .create, .add, .invite, .join, .decline, .promote, .set, .device, .revoke, .merge, .leave, .stepdown:
            false
        }
    }

    /// Whether it turns an invite down.
    var isDecline: Bool {
        if case .decline = self { return true }
        return false
    }

    /// Whether it accepts an invite.
    var isJoin: Bool {
        if case .join = self { return true }
        return false
    }

    /// Whether the author gives something of their own up.
    var isSelfOperation: Bool { self == .leave || self == .stepdown }
}

/// What an operation acts under.
package enum NaiveAuthority<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The office of acting admin.
    case acting
    /// The grant that an operation made at a slot.
    case grant(ID, slot: UInt64)
    /// Something that names no grant: the operation is void.
    case unreadable
}

/// A person to whom a `ratify` grants a role again.
package struct NaiveKeep<Person: Hashable & Sendable>: Hashable, Sendable {
    let person: Person
    let role: NaiveRole

    /// Names a person to keep.
    package init(_ person: Person, _ role: NaiveRole) {
        self.person = person
        self.role = role
    }
}
