/// How the replicas of connected members compare with ours.
public struct VerificationDescription: Hashable, Sendable, Codable {
    /// One replica of a conversation on another host.
    public struct Replica: Hashable, Sendable, Codable {
        /// How it compares with ours.
        public enum State: String, APIEnum {
            /// It holds exactly what ours holds.
            case equal
            /// It holds something else.
            case different
            /// Its host is not connected.
            case unreachable
            case unknown
        }

        /// The id of the device.
        public var device: String
        /// What the person or thing is called.
        public var name: String
        /// How it compares with ours.
        public var state: State

        package init(device: String, name: String, state: State) {
            self.device = device
            self.name = name
            self.state = state
        }
    }
    /// One conversation.
    public struct Conversation: Hashable, Sendable, Codable {
        /// The id of the conversation.
        public var conversation: String
        /// What the conversation is called.
        public var title: String
        /// Operations held in both lanes.
        public var operations: Int
        /// Hexadecimal digest of both lanes' frontiers: equal digests, equal replicas.
        public var digest: String
        /// The replicas on other hosts.
        public var replicas: [Replica]
        /// Whether no reachable replica differs.
        public var equal: Bool
        /// What is missing here, and who can fill it.
        public var gaps: [GapDescription]

        package init(
            conversation: String, title: String, operations: Int, digest: String, replicas: [Replica], equal: Bool,
            gaps: [GapDescription]
        ) {
            self.conversation = conversation
            self.title = title
            self.operations = operations
            self.digest = digest
            self.replicas = replicas
            self.equal = equal
            self.gaps = gaps
        }
    }

    /// The conversations.
    public var conversations: [Conversation]
    /// Whether every reachable member's replica equals ours.
    public var equal: Bool

    package init(conversations: [Conversation], equal: Bool) {
        self.conversations = conversations
        self.equal = equal
    }
}
