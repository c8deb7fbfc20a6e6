/// Something that is missing here, and who can fill it.
public struct GapDescription: Hashable, Sendable, Codable {
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
    }

    /// "text" (of a message that is here) or "operations" (nothing of which is here).
    public var kind: String
    /// The ids of the operations, where they are known.
    public var operations: [String]
    /// Who may have it: the author first, then those who are reachable.
    public var sources: [Source]
    /// What is missing and who can fill it, in words.
    public var text: String
}
