/// The interfaces of a host, its routes, and what became of beacons sent on them.
public struct NetworkObservation: Hashable, Sendable {
    /// The interfaces that are up and have an address.
    public var interfaces: [Interface]
    /// The IPv4 routes.
    public var routes: [Route]
    /// What became of beacons that were sent to see whether they are heard here.
    public var beacons: [Beacon]

    /// Describes networks.
    public init(interfaces: [Interface], routes: [Route], beacons: [Beacon]) {
        self.interfaces = interfaces
        self.routes = routes
        self.beacons = beacons
    }

    /// An interface.
    public struct Interface: Hashable, Sendable {
        /// Its name, such as `eth0`.
        public let name: String
        /// Whether it leads nowhere but to this host.
        public let isLoopback: Bool
        /// Its IPv4 networks.
        public let networks: [IPv4Prefix]
        /// Whether it has an address that others on the network can use besides link-local ones.
        public let hasRoutableAddress: Bool

        /// Describes an interface.
        public init(name: String, isLoopback: Bool, networks: [IPv4Prefix], hasRoutableAddress: Bool) {
            self.name = name
            self.isLoopback = isLoopback
            self.networks = networks
            self.hasRoutableAddress = hasRoutableAddress
        }
    }

    /// An IPv4 route.
    public struct Route: Hashable, Sendable {
        /// Where packets go by it.
        public let destination: IPv4Prefix
        /// The interface they leave by.
        public let interface: String

        /// Describes a route.
        public init(destination: IPv4Prefix, interface: String) {
            self.destination = destination
            self.interface = interface
        }
    }

    /// A beacon that was sent to see whether it is heard here.
    public struct Beacon: Hashable, Sendable {
        /// What became of it.
        public enum Outcome: Hashable, Sendable {
            /// It came back.
            case heard
            /// It left, and did not come back.
            case lost
            /// There is no route for it.
            case noRoute
            /// The system refused to send it, for this reason.
            case refused(String)
        }

        /// The interface.
        public let interface: String
        /// By which way: IPv4 multicast, broadcast or IPv6 multicast.
        public let way: String
        /// What became of it.
        public let outcome: Outcome

        /// Says what became of a beacon.
        public init(interface: String, way: String, outcome: Outcome) {
            self.interface = interface
            self.way = way
            self.outcome = outcome
        }
    }
}
