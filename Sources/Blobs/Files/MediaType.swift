import OperationLog

/// What a file is said to be: `image/jpeg`. Whoever sent it says so, and nobody relies on it.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a media type, at most.
    public static let maximumBytes = 127
    /// Bytes without a meaning.
    public static let unknown = MediaType(valid: "application/octet-stream")
    /// What every photo is that Moot makes.
    public static let photo = MediaType(valid: "image/jpeg")

    /// Type and subtype in lower case, without parameters.
    public let description: String

    /// Accepts a name of RFC 6838 in lower case; nil for anything else.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumBytes, parts.count == 2, parts.allSatisfy(Self.isName) else { return nil }
        description = text
    }

    private init(valid text: String) { description = text }

    /// Whether it is a picture.
    public var isPhoto: Bool { description.hasPrefix("image/") }

    /// Whether it is a film.
    public var isVideo: Bool { description.hasPrefix("video/") }

    private static func isName(_ part: Substring.UTF8View) -> Bool {
        guard let first = part.first, isLetterOrDigit(first) else { return false }
        return part.allSatisfy { isLetterOrDigit($0) || "!#$&-^_.+".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension CanonicalReader {
    /// Reads a media type.
    mutating func mediaType() throws(MalformedBytes) -> MediaType {
        guard let type = MediaType(try text(of: "media type", limit: MediaType.maximumBytes)) else {
            throw .invalid(field: "media type")
        }
        return type
    }
}
