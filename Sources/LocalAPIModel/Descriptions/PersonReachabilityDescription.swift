/// How the nodes of a person reach the user's node, as each of them says.
public struct PersonReachabilityDescription: Hashable, Sendable, Codable {
    /// The latest beacon of the user's node that another one heard.
    public struct Beacon: Hashable, Sendable, Codable {
        /// Where the user's node can be dialed, if the beacon is right: `host:port`.
        public var address: String
        /// How many seconds ago it was heard.
        public var seconds: Double

        package init(address: String, seconds: Double) {
            self.address = address
            self.seconds = seconds
        }
    }

    /// A place where another node looked for the user's in vain.
    public struct FailedDial: Hashable, Sendable, Codable {
        /// `host:port`.
        public var address: String
        /// The stable code of what ended the last try.
        public var error: String
        /// The same in words.
        public var reason: String

        package init(address: String, error: String, reason: String) {
            self.address = address
            self.error = error
            self.reason = reason
        }
    }

    /// What a node says.
    public struct Answer: Hashable, Sendable, Codable {
        /// The version of its program.
        public var version: String
        /// By how many seconds its clock is ahead of this host's.
        public var clockSecondsAhead: Double
        /// Where it dialed the user's node back: where it had dialed it before, or the address that the connection comes from, with the port that
        /// the node named.
        public var address: String
        /// Whether somebody accepted there; absent where it did not dial.
        public var reached: Bool?
        /// The stable code of why nobody did.
        public var error: String?
        /// The same in words.
        public var reason: String?
        /// Whether it sends and hears beacons.
        public var discovery: Bool
        /// How many seconds ago it heard a beacon of its own; absent if it never did.
        public var ownBeaconSeconds: Double?
        /// The latest beacon of the user's node that it heard; absent if it heard none.
        public var beacon: Beacon?
        /// Where it looked for the user's node in vain.
        public var failedDials: [FailedDial]

        package init(
            version: String, clockSecondsAhead: Double, address: String, reached: Bool? = nil, error: String? = nil,
            reason: String? = nil, discovery: Bool, ownBeaconSeconds: Double? = nil, beacon: Beacon? = nil,
            failedDials: [FailedDial]
        ) {
            self.version = version
            self.clockSecondsAhead = clockSecondsAhead
            self.address = address
            self.reached = reached
            self.error = error
            self.reason = reason
            self.discovery = discovery
            self.ownBeaconSeconds = ownBeaconSeconds
            self.beacon = beacon
            self.failedDials = failedDials
        }
    }

    /// A connected node of the person.
    public struct Node: Hashable, Sendable, Codable {
        /// The id of the device.
        public var device: String
        /// `host:port` of its side of the connection.
        public var address: String
        /// What it says; absent if it did not answer in time, or was not asked.
        public var answer: Answer?

        package init(device: String, address: String, answer: Answer? = nil) {
            self.device = device
            self.address = address
            self.answer = answer
        }
    }

    /// The id of the person.
    public var user: String
    /// What they are called.
    public var name: String
    /// Whether they share a conversation with the user: nodes of others are not asked, and answer nothing.
    public var sharesConversation: Bool
    /// Their nodes that are connected.
    public var nodes: [Node]

    package init(user: String, name: String, sharesConversation: Bool, nodes: [Node]) {
        self.user = user
        self.name = name
        self.sharesConversation = sharesConversation
        self.nodes = nodes
    }
}
