/// A node that stops because its home was locked.
public struct LockDescription: Hashable, Sendable, Codable {
    /// Always true.
    public var locked: Bool
    /// The process that ends.
    public var pid: Int32

    package init(locked: Bool, pid: Int32) {
        self.locked = locked
        self.pid = pid
    }
}
