/// The folder of a node and the disk under it.
public struct HomeObservation: Hashable, Sendable {
    /// The folder.
    public var folder: String
    /// Bytes free for this user; nil where that cannot be seen.
    public var freeBytes: UInt64?
    /// Files that can still be made, of how many; nil for a file system without such a number.
    public var freeInodes: UInt64?
    /// Whether the file system is mounted without write access.
    public var isReadOnly: Bool
    /// The permissions of the folder; nil where there is none yet.
    public var permissions: UInt32?
    /// Whether it belongs to the user who looks.
    public var isOwn: Bool
    /// How long the disk takes to make a small write last, in milliseconds; nil where that was not measured.
    public var flushMilliseconds: Double?
    /// The kind of the file system, if its files are on another host.
    public var networkFileSystem: String?

    /// Describes a folder.
    public init(
        folder: String, freeBytes: UInt64?, freeInodes: UInt64?, isReadOnly: Bool, permissions: UInt32?, isOwn: Bool,
        flushMilliseconds: Double?, networkFileSystem: String?
    ) {
        self.folder = folder
        self.freeBytes = freeBytes
        self.freeInodes = freeInodes
        self.isReadOnly = isReadOnly
        self.permissions = permissions
        self.isOwn = isOwn
        self.flushMilliseconds = flushMilliseconds
        self.networkFileSystem = networkFileSystem
    }
}
