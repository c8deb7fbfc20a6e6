/// A file that a message carries, as it is here.
public struct FileDescription: Hashable, Sendable, Codable {
    /// The id: the same for the same file sent once more.
    public var id: String
    /// What its sender calls it, made harmless.
    public var name: String
    /// Bytes of the file.
    public var size: Int
    /// What its sender says it is: `image/jpeg`.
    public var mediaType: String
    /// "photo", "video" or "file".
    public var kind: String
    /// "here", "fetching", "waiting" (nobody who is connected has what is lacking), "offered" (fetched only when the user asks for it),
    /// "cancelled" or "failed".
    public var state: String
    /// Bytes that are here.
    public var received: Int
    /// Why it is waiting or failed: a stable code.
    public var error: String?
    /// A photo once more, very small; absent for other files.
    public var thumbnail: ThumbnailDescription?
    /// The id of the message; absent for a group's photo, and for an uploaded file and not sent yet.
    public var message: String?
    /// The id of the conversation of that message or group.
    public var conversation: String?
}

/// A photo for lists: a JPEG of at most 256 pixels a side.
public struct ThumbnailDescription: Hashable, Sendable, Codable {
    /// The id, for which the same is there as for a file.
    public var id: String
    /// Bytes of it.
    public var size: Int
    /// Whether all of it is here.
    public var here: Bool
}

/// The files of a conversation, in the order of their messages' arrival.
public struct FileList: Hashable, Sendable, Codable {
    /// The files.
    public var files: [FileDescription]
}
