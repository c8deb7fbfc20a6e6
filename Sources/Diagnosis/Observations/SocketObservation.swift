/// The ports of a node on this host, and what became of tries to use them.
public struct SocketObservation: Hashable, Sendable {
    /// Who holds a port.
    public enum Holder: Hashable, Sendable {
        /// Nobody listens on it.
        case nobody
        /// The node of this home.
        case node
        /// Another process; its number and program where this user may see them.
        case other(process: Int32?, program: String?)
    }

    /// What came of dialing this host's own address.
    public struct OwnDial: Hashable, Sendable {
        /// The address.
        public let address: String
        /// Why it failed, in words; nil where somebody accepted.
        public let failure: String?

        /// Says what came of a dial.
        public init(address: String, failure: String?) {
            self.address = address
            self.failure = failure
        }
    }

    /// The TCP port on which the node listens, or would.
    public var listenPort: UInt16
    /// Who listens on it.
    public var holder: Holder
    /// The UDP port of beacons.
    public var beaconPort: UInt16
    /// Who keeps the UDP port from the node; ``Holder/nobody`` where it can be had.
    public var beaconHolder: Holder
    /// Whether IPv6 is switched off; nil where that cannot be seen.
    public var isIPv6Disabled: Bool?
    /// What came of dialing the node at this host's addresses.
    public var ownDials: [OwnDial]

    /// Describes the ports.
    public init(
        listenPort: UInt16, holder: Holder, beaconPort: UInt16, beaconHolder: Holder, isIPv6Disabled: Bool?,
        ownDials: [OwnDial]
    ) {
        self.listenPort = listenPort
        self.holder = holder
        self.beaconPort = beaconPort
        self.beaconHolder = beaconHolder
        self.isIPv6Disabled = isIPv6Disabled
        self.ownDials = ownDials
    }
}
