/// For how long a replica keeps the bodies of a conversation, where not forever.
public enum RetentionPeriod: Hashable, Sendable {
    /// So many days.
    case days(Int)
    /// Not at all: the user left the conversation and erased it.
    case nothing
}
