import OperationLog

/// Decides when events are told in short: a page that paints what it hears would paint a catch-up of 100,000 messages
/// one by one.
///
/// In each tenth of a second some operations are told each by itself. Of those beyond, only the conversation is
/// remembered, and told once at the end of that time.
struct Flood {
    /// How long what was not told is gathered.
    static let frame = Duration.milliseconds(100)
    /// Operations that are told each by itself in a frame.
    static let room = 64

    private var end = Duration.zero
    private var told = 0
    private(set) var folded: Set<ConversationID> = []

    /// Whether so many operations of a conversation are to be told each by itself; if not, the conversation is
    /// remembered.
    ///
    /// - Parameter now: the time since the node started.
    mutating func tells(_ count: Int, of conversation: ConversationID, at now: Duration) -> Bool {
        if now >= end { (end, told) = (now + Self.frame, 0) }
        // What came after something folded is told with it: else it would come before it.
        guard folded.isEmpty, told + count <= Self.room else {
            folded.insert(conversation)
            return false
        }
        told += count
        return true
    }

    /// The conversations of which something was not told, ascending, of which none is remembered any more.
    mutating func takeFolded() -> [ConversationID] {
        defer { folded = [] }
        return folded.sorted()
    }
}
