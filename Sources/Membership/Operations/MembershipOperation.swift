/// An operation of the membership lane, named by its place in the hash graph.
public struct MembershipOperation<ID: Hashable & Sendable, Person: Hashable & Sendable, Device: Hashable & Sendable>:
    Hashable, Sendable
{
    /// Its name.
    public let id: ID
    /// Who wrote it.
    public let author: Person
    /// On which of their devices; nil where nobody asks, as for an operation that is only tried: then no revocation of
    /// a device voids it.
    ///
    /// Devices of two people are two devices, whatever their names.
    public let device: Device?
    /// The operations of the lane its author had seen, as far as none is in the past of another.
    public let parents: [ID]
    /// What it does.
    public let action: Action<ID, Person, Device>

    /// Describes an operation.
    public init(id: ID, author: Person, device: Device? = nil, parents: [ID], action: Action<ID, Person, Device>) {
        self.id = id
        self.author = author
        self.device = device
        self.parents = parents
        self.action = action
    }
}
