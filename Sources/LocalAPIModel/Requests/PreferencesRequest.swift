/// What a user wants changed of what they keep for themselves about a conversation; what is nil stays as it is.
public struct PreferencesRequest: Hashable, Sendable {
    /// How long a conversation is muted.
    public enum Muting: Hashable, Sendable {
        /// Not at all.
        case off
        /// Until it is unmuted.
        case forever
        /// Until a time of RFC 3339 that is to come.
        case until(String)
    }

    /// Whether it is first in the list.
    public var pinned: Bool?
    /// Whether it is put away.
    public var archived: Bool?
    /// How long it is muted.
    public var muting: Muting?
    /// Whether mentions notify while it is muted. Alone it leaves the end of a mute as it is, and begins one without
    /// end where there is none.
    public var mentionsOnly: Bool?
    /// All tags there are from now on.
    public var tags: [String]?
    /// Tags that are added.
    public var addedTags: [String]
    /// Tags that are taken away.
    public var removedTags: [String]
    /// The text begun; empty for none.
    public var draft: String?
    /// Whether others learn what is read there.
    public var receipts: Bool?

    /// Wants nothing but what is given.
    public init(
        pinned: Bool? = nil, archived: Bool? = nil, muting: Muting? = nil, mentionsOnly: Bool? = nil,
        tags: [String]? = nil, addedTags: [String] = [], removedTags: [String] = [], draft: String? = nil,
        receipts: Bool? = nil
    ) {
        self.pinned = pinned
        self.archived = archived
        self.muting = muting
        self.mentionsOnly = mentionsOnly
        self.tags = tags
        self.addedTags = addedTags
        self.removedTags = removedTags
        self.draft = draft
        self.receipts = receipts
    }
}
