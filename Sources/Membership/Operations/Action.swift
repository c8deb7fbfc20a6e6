/// What an operation of the membership lane does.
public enum Action<ID: Hashable & Sendable, Person: Hashable & Sendable, Device: Hashable & Sendable>: Hashable,
    Sendable
{
    /// Starts the group: founder and member for its author.
    case create
    /// Makes people members at once.
    case add(Authority<ID>, [Person])
    /// Offers membership to a person; without one, to whoever first uses the code of the invite.
    ///
    /// That somebody holds a code is for whoever admits their `join` to check: here a join is one.
    case invite(Authority<ID>, Person?)
    /// Accepts an invite.
    case join(ID)
    /// Turns an invite down.
    case decline(ID)
    /// Takes an invite back.
    case cancel(Authority<ID>, ID)
    /// Takes a person out.
    case remove(Authority<ID>, Person)
    /// Grants a role up to admin.
    case promote(Authority<ID>, Person, Role)
    /// Leaves a person with at most a role below admin.
    case demote(Authority<ID>, Person, Role)
    /// Writes a register.
    case set(Authority<ID>, field: String, value: String)
    /// Grants again and bans again, under the author's own authority.
    case ratify(Authority<ID>, keep: [Kept<Person>], bans: [Person])
    /// Introduces, renews or withdraws a device of the author's own; neither grants nor revokes.
    case device
    /// Takes a device of a person out. What it wrote is void, but for the operations pinned here and what they have in
    /// their pasts.
    ///
    /// The person's root says so, and not the author of this operation: the program that admits it verifies that. All
    /// pins are in its past.
    case revoke(Person, Device, pins: [ID])
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
        case .create, .join, .decline, .device, .revoke, .merge, .leave, .stepdown: nil
        }
    }
}
