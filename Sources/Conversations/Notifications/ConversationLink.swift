import OperationLog

/// The address of a conversation, or of a message in it: `moot://conversation/ID`, `moot://conversation/ID/MESSAGE`.
///
/// It leads somewhere only on nodes that hold the conversation, and says nothing else. Anybody can write one, so it is
/// read strictly: there is one form of each, with ids in full.
public struct ConversationLink: Hashable, Sendable, CustomStringConvertible {
    private static let beginning = "moot://conversation/"

    /// The conversation.
    public let conversation: ConversationID
    /// A message, or a change of who is in it; nil for the conversation as a whole.
    public let message: OperationID?

    /// Leads to a conversation.
    public init(to conversation: ConversationID, at message: OperationID? = nil) {
        self.conversation = conversation
        self.message = message
    }

    /// Reads what ``description`` writes; anything else is nil.
    public init?(_ text: String) {
        guard text.utf8.starts(with: Self.beginning.utf8) else { return nil }
        let parts = text.utf8.dropFirst(Self.beginning.utf8.count)
            .split(separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false).map(Substring.init)
        guard (1...2).contains(parts.count), let conversation = ConversationID(hexadecimal: parts[0]) else {
            return nil
        }
        self.conversation = conversation
        guard parts.count == 2 else {
            message = nil
            return
        }
        guard let message = OperationID(hexadecimal: parts[1]) else { return nil }
        self.message = message
    }

    /// The address.
    public var description: String { "\(Self.beginning)\(conversation)" + (message.map { "/\($0)" } ?? "") }
}
