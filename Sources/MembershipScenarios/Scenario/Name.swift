/// The name of a person or of an operation in a scenario.
///
/// Names are equal when their UTF-8 bytes are, and ordered by them. Swift's own strings compare what is shown: two ways
/// to write "é" would be one person there, and here they are two, as two keys are two people whatever their owners call
/// themselves.
public struct Name: Sendable {
    /// The name as it was written.
    public let text: String

    /// Takes over a text.
    public init(_ text: String) {
        self.text = text
    }
}

extension Name: Hashable, Comparable {
    /// Whether the bytes are the same.
    public static func == (left: Name, right: Name) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    /// The order of the bytes; a beginning comes before the whole.
    public static func < (left: Name, right: Name) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}

extension Name: Decodable {
    /// Reads a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
}

extension Name: ExpressibleByStringLiteral {
    /// Names somebody in a test or an example.
    public init(stringLiteral value: String) {
        self.init(value)
    }
}
