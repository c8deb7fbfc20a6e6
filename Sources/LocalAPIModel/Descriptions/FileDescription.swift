/// A file that a message carries, as it is here.
public struct FileDescription: Hashable, Sendable, Codable {
    /// How a file is shown.
    public enum Kind: String, APIEnum {
        case photo, video, file
        case unknown
    }

    /// How a file is doing.
    public enum State: String, APIEnum {
        /// All of it is here.
        case here
        /// It is on its way.
        case fetching
        /// Nobody who is connected has what is lacking.
        case waiting
        /// It is fetched only when the user asks for it.
        case offered
        /// The user wants no more of it.
        case canceled = "cancelled"
        /// It could not be written.
        case failed
        case unknown
    }

    /// The id: the same for the same file sent once more.
    public var id: String
    /// What its sender calls it, made harmless.
    public var name: String
    /// Bytes of the file.
    public var size: Int
    /// What its sender says it is: `image/jpeg`.
    public var mediaType: String
    /// How it is shown.
    public var kind: Kind
    /// How it is doing.
    public var state: State
    /// Bytes that are here.
    public var received: Int
    /// Why it is waiting or failed: a stable code.
    public var error: String?
    /// A photo once more, very small; absent for other files.
    public var thumbnail: ThumbnailDescription?
    /// Pixels of a photo from left to right, once it is here.
    public var width: Int?
    /// Pixels of a photo from top to bottom, once it is here.
    public var height: Int?
    /// The id of the message; absent for a group's photo, and for an uploaded file and not sent yet.
    public var message: String?
    /// The id of the conversation of that message or group.
    public var conversation: String?

    package init(
        id: String, name: String, size: Int, mediaType: String, kind: Kind, state: State, received: Int,
        error: String? = nil, thumbnail: ThumbnailDescription? = nil, width: Int? = nil, height: Int? = nil,
        message: String? = nil,
        conversation: String? = nil
    ) {
        self.id = id
        self.name = name
        self.size = size
        self.mediaType = mediaType
        self.kind = kind
        self.state = state
        self.received = received
        self.error = error
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
        self.message = message
        self.conversation = conversation
    }
}

/// A photo for lists: a JPEG of at most 256 pixels a side.
public struct ThumbnailDescription: Hashable, Sendable, Codable {
    /// The id, for which the same is there as for a file.
    public var id: String
    /// Bytes of it.
    public var size: Int
    /// Whether all of it is here.
    public var here: Bool
    /// Pixels from left to right, once it is here; the photo has the same proportions.
    public var width: Int?
    /// Pixels from top to bottom, once it is here.
    public var height: Int?

    package init(id: String, size: Int, here: Bool, width: Int? = nil, height: Int? = nil) {
        self.id = id
        self.size = size
        self.here = here
        self.width = width
        self.height = height
    }
}

/// Files of a conversation, in the order of their arrival.
public struct FileList: Hashable, Sendable, Codable {
    /// The files.
    public var files: [FileDescription]
    /// What to pass as `before` for the files that came before these; absent at the end.
    public var earlier: String?

    package init(files: [FileDescription], earlier: String? = nil) {
        self.files = files
        self.earlier = earlier
    }
}
