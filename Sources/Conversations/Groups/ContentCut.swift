import OperationLog

/// What decides which content of a revoked device counts: while it is the same, the same content does, but for what is pinned and has yet to come.
public struct ContentCut: Hashable, Sendable {
    /// Whose device it is.
    public let user: UserID
    /// The operations that revoke the device and count; none where nobody took its user out, since then it decides nothing how often it is said.
    let revocations: [OperationID]
    /// What took its user out and counts, with the last of the device's content that its author had seen.
    let exits: [OperationID: Pin]
    /// The content that all of these name. When it comes, what came before it may count.
    public let pinned: Set<OperationID>
}
