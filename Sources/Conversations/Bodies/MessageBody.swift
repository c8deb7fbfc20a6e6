import OperationLog

/// What a message says, as it is in the body of a content operation.
public struct MessageBody: Hashable, Sendable {
    /// Bytes of text a message may have.
    public static let maximumTextBytes = 16 * 1024
    /// People whom one message may mention.
    public static let maximumMentions = 32

    /// The text, 1 to ``maximumTextBytes`` bytes of UTF-8.
    public let text: String
    /// The message it answers.
    public let replyTo: OperationID?
    /// The people whom the text names, at most ``maximumMentions``, ascending.
    public let mentions: [UserID]

    /// Accepts a text within its limits; nil if it is empty or too long, or mentions too many people.
    ///
    /// - Parameter mentions: the people whom the text names, in any order.
    public init?(text: String, replyTo: OperationID? = nil, mentions: [UserID] = []) {
        self.text = text
        self.replyTo = replyTo
        self.mentions = Set(mentions).sorted()
        guard (1...Self.maximumTextBytes).contains(text.utf8.count), self.mentions.count <= Self.maximumMentions else {
            return nil
        }
    }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter(capacity: text.utf8.count + 40 + mentions.count * 32)
        writer.write(byte: (replyTo == nil ? 0 : Self.answers) | (mentions.isEmpty ? 0 : Self.names))
        if let replyTo { writer.write(replyTo) }
        if !mentions.isEmpty { writer.write(ascending: mentions) }
        writer.write(text: text)
        return writer.bytes
    }

    /// Reads a body. That it fails makes a message unreadable, which is a verdict and no reason to refuse its
    /// operation.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        let parts = try reader.byte()
        guard parts & ~(Self.answers | Self.names) == 0 else { throw .invalid(field: "parts") }
        replyTo = parts & Self.answers == 0 ? nil : try reader.identifier()
        mentions = parts & Self.names == 0 ? [] : try reader.mentions()
        // To mention nobody has one encoding.
        guard parts & Self.names == 0 || !mentions.isEmpty else { throw .invalid(field: "mentions") }
        text = try reader.messageText()
        try reader.finish()
    }

    /// In the first byte: an answered message follows.
    private static let answers: UInt8 = 1
    /// In the first byte: mentioned people follow.
    private static let names: UInt8 = 2
}

extension CanonicalReader {
    /// Reads the text of a message.
    mutating func messageText() throws(MalformedBytes) -> String {
        let text = try text(of: "text", limit: MessageBody.maximumTextBytes)
        guard !text.isEmpty else { throw .invalid(field: "text") }
        return text
    }

    /// Reads the people whom a text names.
    mutating func mentions() throws(MalformedBytes) -> [UserID] {
        try ascending(of: "mentions", limit: MessageBody.maximumMentions)
    }
}
