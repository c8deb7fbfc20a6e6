/// Why an invite by code lets nobody in any more.
public enum InviteRefusal: UInt8, Hashable, Sendable, CaseIterable {
    /// Somebody else has joined by it.
    case used = 0
    /// It was taken back, or whoever made it may not invite any more.
    case canceled = 1
}
