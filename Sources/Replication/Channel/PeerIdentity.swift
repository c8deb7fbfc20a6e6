import OperationLog

/// Who is at the other end of a channel, proven in the handshake.
public struct PeerIdentity: Hashable, Sendable {
    /// The device.
    public let device: Device
    /// The record by which its user's root certifies it.
    public let record: IdentityRecord
}
