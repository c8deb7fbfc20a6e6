/// What is wrong with what a node keeps.
public struct ReplicaObservation: Hashable, Sendable {
    /// A conversation.
    public struct Conversation: Hashable, Sendable {
        /// What it is called.
        public let title: String
        /// What is missing of which nobody who is connected is known to have it: who can fill it, in words.
        public let gaps: [String]
        /// Received operations that wait for others.
        public let pending: Int
        /// Whether more is on its way.
        public let isPulling: Bool
        /// Epochs whose key does not open for this device.
        public let missingKeys: Int

        /// Describes a conversation.
        public init(title: String, gaps: [String], pending: Int, isPulling: Bool, missingKeys: Int) {
            self.title = title
            self.gaps = gaps
            self.pending = pending
            self.isPulling = isPulling
            self.missingKeys = missingKeys
        }
    }

    /// Why nothing can be stored, in words; nil where everything is.
    public var storageProblem: String?
    /// People of whose device two copies wrote.
    public var forks: [String]
    /// The conversations.
    public var conversations: [Conversation]

    /// Describes what a node keeps.
    public init(storageProblem: String?, forks: [String], conversations: [Conversation]) {
        self.storageProblem = storageProblem
        self.forks = forks
        self.conversations = conversations
    }
}
