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
    /// "here", "fetching", "waiting" (nobody who is connected has what is lacking), "cancelled" or "failed".
    public var state: String
    /// Bytes that are here.
    public var received: Int
    /// Why it is waiting or failed: a stable code.
    public var error: String?
    /// The id of the message; absent for a file that was put in and not sent yet.
    public var message: String?
    /// The id of that message's conversation.
    public var conversation: String?
}

/// The files of a conversation, in the order of their messages' arrival.
public struct FileList: Hashable, Sendable, Codable {
    /// The files.
    public var files: [FileDescription]
}
