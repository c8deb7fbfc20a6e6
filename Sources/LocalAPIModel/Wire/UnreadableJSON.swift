/// Bytes that are not the JSON they should be, explained to whoever wrote them.
public struct UnreadableJSON: Error, Hashable, Sendable {
    /// What is wrong and where, as a sentence.
    public let sentence: String

    /// Explains with a sentence.
    init(sentence: String) {
        self.sentence = sentence
    }

    /// Explains what a coder found wrong.
    init(describing error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            self.init(sentence: "The field \"\(Self.path(context.codingPath + [key]))\" is missing")
        case DecodingError.typeMismatch(let type, let context):
            self.init(sentence: "\(Self.subject(context.codingPath)) must be \(Self.kind(of: type))")
        case DecodingError.valueNotFound(let type, let context):
            self.init(sentence: "\(Self.subject(context.codingPath)) must be \(Self.kind(of: type)), not null")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(sentence: "\(Self.subject(context.codingPath)) has a value that does not exist")
        case DecodingError.dataCorrupted:
            self.init(sentence: "The body is not valid JSON")
        case EncodingError.invalidValue(_, let context):
            self.init(sentence: "\(Self.subject(context.codingPath)) cannot be written as JSON")
        default:
            self.init(sentence: "The body cannot be read")
        }
    }

    private static func subject(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "The body" : "The field \"\(self.path(path))\""
    }

    private static func path(_ path: [any CodingKey]) -> String {
        path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    private static func kind(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is any RandomAccessCollection.Type: "a list"
        default: "an object"
        }
    }
}
