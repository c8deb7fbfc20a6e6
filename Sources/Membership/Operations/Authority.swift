/// What an operation that uses authority acts under.
public enum Authority<ID: Hashable & Sendable>: Hashable, Sendable {
    /// The author is the acting admin of the operation's past.
    case acting
    /// A grant, named by the operation that made it and its slot there.
    case grant(ID, slot: UInt64)
}
