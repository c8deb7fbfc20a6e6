import OperationLog

/// Who people are, and where.
public enum PeopleMessage: Hashable, Sendable {
    /// Who we are beyond our device, and where we listen.
    case hello(replicaEpoch: [UInt8], port: UInt16, [UInt8])
    /// Where devices can be reached: others, or the sender's own.
    case addresses([PeerAddress])
    /// The sender shares nothing with the receiver: if that is so on both sides, the connection may end.
    case parting
    /// Devices that their users took out: each statement as its root signed it. Nothing of them is verified.
    case tombstones([[UInt8]])

    static let kinds: [any MessageKind.Type] = [
        HelloMessage.self, AddressesMessage.self, PartingMessage.self, TombstonesMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .hello(let epoch, let port, let introduction):
            HelloMessage.write(epoch: epoch, port: port, introduction: introduction, to: &writer)
        case .addresses(let addresses): AddressesMessage.write(addresses, to: &writer)
        case .parting: PartingMessage.write(to: &writer)
        case .tombstones(let tombstones): TombstonesMessage.write(tombstones, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int {
        switch self {
        case .addresses(let addresses): addresses.count
        case .tombstones(let tombstones): tombstones.count
        case .hello, .parting: 0
        }
    }
}
