/// What a running node knows of others and of itself, and what dialing them now gave.
public struct NodeObservation: Hashable, Sendable {
    /// Where it listens.
    public var listening: [String]
    /// Whether it sends and hears beacons.
    public var discovers: Bool
    /// Seconds since its start.
    public var uptimeSeconds: Double
    /// Whom it is connected to.
    public var peers: [Peer]
    /// Where it looks for others in vain.
    public var places: [Place]
    /// How many other devices it heard a beacon of.
    public var heardDevices: Int
    /// Devices that broke the protocol.
    public var bans: [Ban]
    /// Devices with other clocks.
    public var clocks: [Clock]
    /// What is wrong with what it keeps.
    public var replica: ReplicaObservation

    /// Describes a node.
    public init(
        listening: [String], discovers: Bool, uptimeSeconds: Double, peers: [Peer], places: [Place],
        heardDevices: Int, bans: [Ban], clocks: [Clock], replica: ReplicaObservation
    ) {
        self.listening = listening
        self.discovers = discovers
        self.uptimeSeconds = uptimeSeconds
        self.peers = peers
        self.places = places
        self.heardDevices = heardDevices
        self.bans = bans
        self.clocks = clocks
        self.replica = replica
    }

    /// A node that is connected.
    public struct Peer: Hashable, Sendable {
        /// What came of packets sent to its host.
        public enum Echo: Hashable, Sendable {
            /// It answers packets of every size that the network should carry.
            case answered
            /// It answers small packets, and not those of so many bytes.
            case largeLost(bytes: Int)
        }

        /// What the person is called.
        public let name: String
        /// Its address.
        public let address: String
        /// Whether it is on this host.
        public let isOnThisHost: Bool
        /// Whether it is on a network that this host is on, as far as the address tells.
        public let isNeighbor: Bool
        /// Seconds since the connection began.
        public let connectedSeconds: Double
        /// The round trip in milliseconds.
        public let roundTripMilliseconds: Double?
        /// Seconds since its last beacon; nil if none was heard.
        public let beaconSeconds: Double?
        /// What came of packets sent to its host; nil where none could be sent, or none at all was answered.
        public let echo: Echo?

        /// Describes a peer.
        public init(
            name: String, address: String, isOnThisHost: Bool, isNeighbor: Bool, connectedSeconds: Double,
            roundTripMilliseconds: Double?, beaconSeconds: Double?, echo: Echo?
        ) {
            self.name = name
            self.address = address
            self.isOnThisHost = isOnThisHost
            self.isNeighbor = isNeighbor
            self.connectedSeconds = connectedSeconds
            self.roundTripMilliseconds = roundTripMilliseconds
            self.beaconSeconds = beaconSeconds
            self.echo = echo
        }
    }

    /// A place where the node looks for others.
    public struct Place: Hashable, Sendable {
        /// What dialing it just now gave.
        public enum Probe: String, Hashable, Sendable {
            /// Somebody accepted.
            case accepted
            /// The host answered that nobody listens.
            case refused
            /// No route leads there.
            case unreachable
            /// Nothing came.
            case timedOut
            /// The name has no address.
            case noName
            /// Something else.
            case failed
        }

        /// The address, as it was written or heard.
        public let address: String
        /// What the person who is said to be there is called; nil if that is not known.
        public let name: String?
        /// Whether the user named the place.
        public let isNamed: Bool
        /// Dials that failed one after the other.
        public let failures: Int
        /// The stable code of what ended the last try.
        public let errorCode: String?
        /// The same in words.
        public let error: String?
        /// Seconds since a beacon was heard from there.
        public let beaconSeconds: Double?
        /// What dialing it just now gave.
        public let probe: Probe?
        /// Its IPv4 address; nil for others and for names.
        public let ipv4: UInt32?

        /// Describes a place.
        public init(
            address: String, name: String?, isNamed: Bool, failures: Int, errorCode: String?, error: String?,
            beaconSeconds: Double?, probe: Probe?, ipv4: UInt32?
        ) {
            self.address = address
            self.name = name
            self.isNamed = isNamed
            self.failures = failures
            self.errorCode = errorCode
            self.error = error
            self.beaconSeconds = beaconSeconds
            self.probe = probe
            self.ipv4 = ipv4
        }
    }

    /// A device that broke the protocol.
    public struct Ban: Hashable, Sendable {
        /// What its user is called.
        public let name: String
        /// Its id.
        public let device: String
        /// Seconds until it is heard again.
        public let secondsLeft: Double

        /// Describes a ban.
        public init(name: String, device: String, secondsLeft: Double) {
            self.name = name
            self.device = device
            self.secondsLeft = secondsLeft
        }
    }

    /// A device with another clock.
    public struct Clock: Hashable, Sendable {
        /// What its user is called.
        public let name: String
        /// By how much it is ahead.
        public let secondsAhead: Int64

        /// Describes a clock.
        public init(name: String, secondsAhead: Int64) {
            self.name = name
            self.secondsAhead = secondsAhead
        }
    }
}
