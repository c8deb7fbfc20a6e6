import OperationLog

/// What a message says, as it stands in the body of a content operation.
public struct MessageBody: Hashable, Sendable {
    /// Bytes of text a message may have.
    public static let textLimit = 16 * 1024

    /// The text, 1 to ``textLimit`` bytes of UTF-8.
    public let text: String
    /// The message it answers.
    public let replyTo: OperationID?

    /// Accepts a text within its limits; nil if it is empty or too long.
    public init?(text: String, replyTo: OperationID? = nil) {
        guard (1...Self.textLimit).contains(text.utf8.count) else { return nil }
        self.text = text
        self.replyTo = replyTo
    }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: text.utf8.count + 40)
        if let replyTo {
            writer.write(byte: 1)
            writer.write(replyTo)
        } else {
            writer.write(byte: 0)
        }
        writer.write(text: text)
        return writer.bytes
    }

    /// Reads a body. That it fails makes a message unreadable, which is a verdict and no reason to refuse its operation.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        switch try reader.byte() {
        case 0: replyTo = nil
        case 1: replyTo = try reader.identifier()
        default: throw .invalid(field: "reply")
        }
        text = try reader.text(of: "text", limit: Self.textLimit)
        guard !text.isEmpty else { throw .invalid(field: "text") }
        try reader.finish()
    }
}
