/// A symbolic name of a scenario: it compares as its bytes of UTF-8, so that names that only look alike are different.
struct Name: Hashable, Comparable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    static func < (left: Name, right: Name) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
