import OperationLog

/// Everything one needs to have a photo: the picture, and the same very small for lists.
public struct PhotoReference: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes = 2 * BlobReference.maximumBytes

    /// Bytes of a picture, at most: who only shows themselves must not make others fetch what they like.
    public static let maximumPictureBytes = 5_000_000
    /// Bytes of a thumbnail, at most.
    public static let maximumThumbnailBytes = 64 * 1024

    /// The picture.
    public let picture: BlobReference
    /// The same for lists.
    public let thumbnail: BlobReference

    /// Puts both together; nil unless they are of type ``MediaType/photo`` and not too long.
    public init?(picture: BlobReference, thumbnail: BlobReference) {
        guard picture.mediaType == .photo, thumbnail.mediaType == .photo,
            picture.address.length <= Self.maximumPictureBytes, thumbnail.address.length <= Self.maximumThumbnailBytes
        else { return nil }
        self.picture = picture
        self.thumbnail = thumbnail
    }
}

extension PhotoReference {
    /// The canonical bytes: the picture ‖ the thumbnail.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: Self.maximumBytes)
        picture.write(to: &writer)
        thumbnail.write(to: &writer)
        return writer.bytes
    }

    /// Reads exactly one reference.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        let picture = try BlobReference(from: &reader)
        let thumbnail = try BlobReference(from: &reader)
        try reader.finish()
        guard let photo = PhotoReference(picture: picture, thumbnail: thumbnail) else {
            throw .invalid(field: "photo")
        }
        self = photo
    }
}
