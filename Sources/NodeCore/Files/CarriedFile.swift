import Blobs

/// A file that was put in, to be carried by a message.
public struct CarriedFile: Hashable, Sendable {
    /// What others will see it called.
    public let name: String
    /// The file.
    public let address: BlobAddress
    /// A photo once more, very small; nil for other files.
    public let thumbnail: BlobAddress?

    /// Names a file and its parts.
    public init(name: String, address: BlobAddress, thumbnail: BlobAddress? = nil) {
        self.name = name
        self.address = address
        self.thumbnail = thumbnail
    }
}
