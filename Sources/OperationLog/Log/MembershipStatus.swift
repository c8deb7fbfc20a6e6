/// What a person is in a conversation, and what their devices are served of it.
public enum MembershipStatus: Hashable, Sendable {
    /// In it now: both lanes.
    case member
    /// Asked to come in: the membership lane.
    case invited
    /// In it once, or waiting for room: the membership lane up to their revocation.
    case former
}
