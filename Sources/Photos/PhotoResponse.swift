/// What the process that reads a picture says to the one that asked it, as bytes.
///
/// A refusal is one byte, the number of the ``PhotoError``. A photo is a byte 0, then for the picture and for the
/// thumbnail width (2), height (2) and length (4), then both files. Numbers have their most significant byte first.
public struct PhotoResponse: Hashable, Sendable {
    /// The photo, or why there is none.
    public let photo: Result<Photo, PhotoError>

    /// The exit status of a process that cannot confine itself, and so has looked at nothing.
    public static let unconfinedStatus: Int32 = 71

    /// Takes an outcome.
    public init(_ photo: Result<Photo, PhotoError>) {
        self.photo = photo
    }

    /// How long an answer can be under these limits.
    public static func maximumBytes(_ limits: PhotoLimits) -> Int {
        headByteCount + limits.photoByteCount + limits.thumbnailByteCount
    }

    /// The bytes.
    public var encoded: [UInt8] {
        switch photo {
        case .failure(let error):
            [error.rawValue]
        case .success(let photo):
            [0] + Self.head(of: photo.picture) + Self.head(of: photo.thumbnail) + photo.picture.bytes
                + photo.thumbnail.bytes
        }
    }

    /// Reads an answer, and believes nothing of it: whoever wrote it has looked at bytes of a stranger.
    ///
    /// - Returns: nil unless it is one refusal, or two pictures of the sizes that are said, within the limits.
    public init?(decoding bytes: [UInt8], limits: PhotoLimits) {
        let answer = PictureBytes(bytes[...])
        guard let kind = answer[0] else { return nil }
        guard kind == 0 else {
            guard let error = PhotoError(rawValue: kind), bytes.count == 1 else { return nil }
            photo = .failure(error)
            return
        }
        guard let head = Claim(of: answer, at: 1), let small = Claim(of: answer, at: 1 + Claim.byteCount),
            head.size.longerSide <= limits.side, head.count <= limits.photoByteCount,
            small.size == head.size.fitting(within: limits.thumbnailSide), small.count <= limits.thumbnailByteCount,
            bytes.count == Self.headByteCount + head.count + small.count,
            let picture = EncodedPicture(
                size: head.size, bytes: Array(bytes[Self.headByteCount..<Self.headByteCount + head.count])),
            let thumbnail = EncodedPicture(size: small.size, bytes: Array(bytes.suffix(small.count)))
        else { return nil }
        photo = .success(Photo(picture: picture, thumbnail: thumbnail))
    }

    private static let headByteCount = 1 + 2 * Claim.byteCount

    private static func head(of picture: EncodedPicture) -> [UInt8] {
        [
            UInt8(truncatingIfNeeded: picture.size.width >> 8), UInt8(truncatingIfNeeded: picture.size.width),
            UInt8(truncatingIfNeeded: picture.size.height >> 8), UInt8(truncatingIfNeeded: picture.size.height),
        ] + (0..<4).map { UInt8(truncatingIfNeeded: picture.bytes.count >> (24 - 8 * $0)) }
    }
}

/// What an answer says of a file before it comes.
private struct Claim {
    let size: PictureSize
    let count: Int

    static let byteCount = 8

    init?(of answer: PictureBytes, at offset: Int) {
        guard let width = answer.number(UInt16.self, at: offset),
            let height = answer.number(UInt16.self, at: offset + 2),
            let size = PictureSize(width: Int(width), height: Int(height)),
            let count = answer.number(UInt32.self, at: offset + 4)
        else { return nil }
        self.size = size
        self.count = Int(count)
    }
}
