import OperationLog

/// Everything one needs to have a file: which blob it is, the key that opens it, and what it is said to be.
///
/// Who may know it is decided by what it is in: a message's body is closed to all but its readers, a group's photo is
/// for everybody who knows the group.
public struct BlobReference: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes = 32 + 10 + 32 + 2 + MediaType.maximumBytes

    /// The blob.
    public let address: BlobAddress
    /// What opens it.
    public let key: BlobKey
    /// What it is said to be.
    public let mediaType: MediaType

    /// Puts a reference together.
    public init(address: BlobAddress, key: BlobKey, mediaType: MediaType) {
        self.address = address
        self.key = key
        self.mediaType = mediaType
    }
}

extension BlobReference {
    /// The canonical bytes: top ‖ length number ‖ key 32 ‖ media type text.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: Self.maximumBytes)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads exactly one reference.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Appends the canonical bytes.
    public func write(to writer: inout CanonicalWriter) {
        address.write(to: &writer)
        writer.write(digest: key.bytes)
        writer.write(text: mediaType.description)
    }

    /// Reads a reference in the middle of something.
    public init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        address = try BlobAddress(from: &reader)
        key = BlobKey(bytes: try reader.digest())
        mediaType = try reader.mediaType()
    }
}
