/// Which conversations a list shows.
public struct ConversationFilter: Hashable, Sendable {
    /// A part of a title or of a member's name; nil for any.
    public var query: String?
    /// A tag they have; nil for any.
    public var tag: String?
    /// Which of them.
    public var part: Part

    /// A part of all conversations.
    public enum Part: Hashable, Sendable {
        /// Those the user is or was in, as far as they are not archived.
        case current
        /// Those that are archived.
        case archived
        /// Groups that others want them in: they are invited, or were added and want to be asked.
        case requests
    }

    /// Shows all that are not archived, unless it says otherwise.
    public init(query: String? = nil, tag: String? = nil, part: Part = .current) {
        self.query = query
        self.tag = tag
        self.part = part
    }
}
