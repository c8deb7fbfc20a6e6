/// One of the two logs of a conversation.
public enum Lane: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// Who is in the conversation and who may decide it: small, held whole by every member and invitee.
    case membership = 0
    /// Messages and what belongs to them.
    case content = 1

    /// Membership first: content is judged by it.
    public static func < (left: Lane, right: Lane) -> Bool { left.rawValue < right.rawValue }
}
