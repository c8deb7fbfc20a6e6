import OperationLog
import SQLiteStore

/// What was found in a home.
public struct HomeReport: Hashable, Sendable, Codable {
    /// What is wrong, one thing an entry.
    public struct Finding: Hashable, Sendable, Codable {
        /// What brings it back.
        public enum Repair: String, Hashable, Sendable, Codable {
            /// The node asks other members for it by itself.
            case peers
            /// A backup, and then other members for what that lacks.
            case backupThenPeers = "backup_then_peers"
            /// It is made anew of what is here.
            case rebuild
        }

        /// What it is about: database, operation, signature, chains, statistics, search_index, file or keys.
        public var part: String
        /// The id of the conversation, where it is about one.
        public var conversation: String?
        /// The id of the operation, which is that of a message, where it is about one.
        public var operation: String?
        /// The id of the file, where it is about one.
        public var file: String?
        /// What is wrong, in words.
        public var sentence: String
        /// What brings it back.
        public var repair: Repair

        init(_ found: StoreFinding) {
            part = found.part.rawValue
            conversation = found.conversation?.description
            operation = found.operation?.description
            sentence = found.sentence
            repair =
                switch found.part {
                case .database, .operation, .signature, .chains: .backupThenPeers
                case .statistics, .searchIndex: .rebuild
                }
        }

        init(_ part: String, file: String? = nil, _ sentence: String, repair: Repair) {
            (self.part, self.file, self.sentence, self.repair) = (part, file, sentence, repair)
        }
    }

    /// The folder.
    public var home: String
    /// Whether its node ran, so that a copy of the database was looked at that the node made.
    public var running: Bool
    /// Conversations of which every chain was followed.
    public var conversations = 0
    /// Operations that were hashed.
    public var operations = 0
    /// Files that were hashed.
    public var files = 0
    /// What is wrong.
    public var findings: [Finding] = []

    init(home: String, running: Bool) {
        (self.home, self.running) = (home, running)
    }
}
