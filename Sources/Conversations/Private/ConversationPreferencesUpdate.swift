import OperationLog

/// What a user changes of their preferences for a conversation; what is nil stays as it is.
public struct ConversationPreferencesUpdate: Hashable, Sendable {
    /// Whether it is first in the list.
    public var pinned: Bool?
    /// Whether it is put away.
    public var archiving: Archiving?
    /// Whether it notifies.
    public var muting: Muting?
    /// All tags there are from now on.
    public var tags: [Tag]?
    /// Tags that are added.
    public var addedTags: [Tag] = []
    /// Tags that are taken away.
    public var removedTags: [Tag] = []
    /// The text begun; empty for none.
    public var draft: String?
    /// Whether others learn what is read there.
    public var sharesReads: Bool?
    /// Whether the user wants to be asked before a group that others add them to is theirs.
    public var asksWhenAdded: Bool?
    /// What added them, and what they agree to.
    public var consentsTo: OperationID?

    /// Whether a conversation is put away.
    public enum Archiving: Hashable, Sendable {
        /// As the conversation itself is.
        case byItself
        /// By the user.
        case archived
        /// The user wants it in the list, whatever becomes of it.
        case kept
    }

    /// Whether a conversation notifies.
    public enum Muting: Hashable, Sendable {
        /// It does.
        case off
        /// It does not, for a while.
        case on(Mute)
    }

    /// Changes nothing.
    public init() {}

    /// Whether nothing is changed.
    public var isEmpty: Bool { self == ConversationPreferencesUpdate() }
}

/// Why a change of preferences is refused.
public enum PreferencesLimit: Error, Hashable, Sendable {
    /// There would be more tags than ``ConversationPreferences/maximumTags``.
    case tags
    /// The draft is longer than ``ConversationPreferences/maximumDraftBytes``.
    case draft
}
