/// A word by which a user finds their conversations.
///
/// Tags are compared by their bytes, so one that is encoded in two ways is two.
public struct Tag: Hashable, Comparable, Sendable {
    /// Characters a tag may have.
    public static let maximumLength = 32
    /// Bytes of UTF-8 a tag may have: characters may be composed of many scalars.
    public static let maximumBytes = 512

    private let bytes: [UInt8]

    /// Accepts 1 to ``maximumLength`` characters without white space around them and without control characters; else
    /// nil.
    public init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.count), text.utf8.count <= Self.maximumBytes,
            let first = text.first, let last = text.last, !first.isWhitespace, !last.isWhitespace,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        bytes = Array(text.utf8)
    }

    /// The word.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The order of the bytes.
    public static func < (left: Tag, right: Tag) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
