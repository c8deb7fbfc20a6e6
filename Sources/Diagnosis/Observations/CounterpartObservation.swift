/// What the nodes of one person say of reaching this one.
public struct CounterpartObservation: Hashable, Sendable {
    /// What the person is called.
    public var name: String
    /// The same as a shell takes it.
    public var shellName: String
    /// Whether they share a conversation with the user: nodes of others tell nothing.
    public var sharesConversation: Bool
    /// Their nodes that are connected.
    public var nodes: [Node]
    /// The version of this node's program.
    public var ownVersion: String

    /// Describes what was said.
    public init(name: String, shellName: String, sharesConversation: Bool, nodes: [Node], ownVersion: String) {
        self.name = name
        self.shellName = shellName
        self.sharesConversation = sharesConversation
        self.nodes = nodes
        self.ownVersion = ownVersion
    }

    /// A connected node of the person.
    public struct Node: Hashable, Sendable {
        /// The node, as it looks from here.
        public let peer: NodeObservation.Peer
        /// What it says; nil if it did not answer.
        public let answer: Answer?

        /// Joins a node to its answer.
        public init(peer: NodeObservation.Peer, answer: Answer?) {
            self.peer = peer
            self.answer = answer
        }
    }

    /// What a node says.
    public struct Answer: Hashable, Sendable {
        /// What came of dialing this node back.
        public enum DialBack: Hashable, Sendable {
            /// It did not dial.
            case notTried
            /// Somebody accepted.
            case accepted
            /// Nobody did, for this reason in words.
            case failed(String)
        }

        /// The version of its program.
        public let version: String
        /// By how many seconds its clock is ahead of this host's.
        public let clockSecondsAhead: Double
        /// Where it dialed this node back.
        public let address: String
        /// What came of that.
        public let dialBack: DialBack
        /// Whether it sends and hears beacons.
        public let discovers: Bool
        /// Seconds since it heard a beacon of its own; nil if it never did.
        public let ownBeaconSeconds: Double?
        /// Seconds since it heard a beacon of this node; nil if it never did.
        public let beaconSeconds: Double?
        /// Where it looked for this node in vain, each with the reason in words.
        public let failedDials: [String]

        /// Describes an answer.
        public init(
            version: String, clockSecondsAhead: Double, address: String, dialBack: DialBack, discovers: Bool,
            ownBeaconSeconds: Double?, beaconSeconds: Double?, failedDials: [String]
        ) {
            self.version = version
            self.clockSecondsAhead = clockSecondsAhead
            self.address = address
            self.dialBack = dialBack
            self.discovers = discovers
            self.ownBeaconSeconds = ownBeaconSeconds
            self.beaconSeconds = beaconSeconds
            self.failedDials = failedDials
        }
    }
}
