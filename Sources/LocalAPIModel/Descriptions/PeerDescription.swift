/// A connected node.
public struct PeerDescription: Hashable, Sendable, Codable {
    /// Which side made the connection.
    public enum Direction: String, APIEnum {
        /// This node.
        case outgoing
        /// The other node.
        case incoming
        case unknown
    }

    /// The id of the device.
    public var device: String
    /// The id of the user.
    public var user: String
    /// What the person or thing is called.
    public var name: String
    /// `host:port` of the other side.
    public var address: String
    /// Which side made the connection.
    public var direction: Direction
    /// When the connection began.
    public var connectedAt: String
    /// The smoothed round trip; absent until measured.
    public var roundTripMilliseconds: Double?

    package init(
        device: String, user: String, name: String, address: String, direction: Direction, connectedAt: String,
        roundTripMilliseconds: Double? = nil
    ) {
        self.device = device
        self.user = user
        self.name = name
        self.address = address
        self.direction = direction
        self.connectedAt = connectedAt
        self.roundTripMilliseconds = roundTripMilliseconds
    }
}
