/// Something that is missing here, and who can fill it.
public struct GapDescription: Hashable, Sendable, Codable {
    /// What is missing.
    public enum Kind: String, APIEnum {
        /// The text of a message that is here.
        case text
        /// Operations of which nothing is here.
        case operations
        /// What others have beyond what is taken here.
        case room
        case unknown
    }

    /// A device that may fill a gap.
    public struct Source: Hashable, Sendable, Codable {
        /// The id of the user.
        public var user: String
        /// What the person is called.
        public var name: String
        /// The id of the device.
        public var device: String
        /// Whether it wrote what is missing.
        public var author: Bool
        /// Whether it is connected now.
        public var reachable: Bool
        /// Whether it was asked, and did not have it.
        public var hadNothing: Bool

        package init(user: String, name: String, device: String, author: Bool, reachable: Bool, hadNothing: Bool) {
            self.user = user
            self.name = name
            self.device = device
            self.author = author
            self.reachable = reachable
            self.hadNothing = hadNothing
        }
    }

    /// What is missing.
    public var kind: Kind
    /// The ids of the operations, where they are known.
    public var operations: [String]
    /// Who may have it: the author first, then those who are reachable.
    public var sources: [Source]
    /// What is missing and who can fill it, in words.
    public var text: String

    package init(kind: Kind, operations: [String], sources: [Source], text: String) {
        self.kind = kind
        self.operations = operations
        self.sources = sources
        self.text = text
    }
}
