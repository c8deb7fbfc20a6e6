import LocalAPIModel

/// A page of messages as the node wrote it. To read it takes as long as the node takes to write the next one.
public struct EncodedMessagePage: Sendable {
    /// After which message the next page begins; nil at the end.
    public let later: String?
    private let body: [UInt8]

    private struct Cursor: Decodable {
        let later: String?
    }

    init(_ body: [UInt8], status: Int) throws(LocalClientError) {
        self.body = body
        later = try LocalClient.read(Cursor.self, from: body, status: status).later
    }

    /// Reads it.
    ///
    /// - Throws: ``LocalClientError/unreadable(_:)`` for what is no page of messages.
    public func decoded() throws(LocalClientError) -> MessagePage {
        try LocalClient.read(MessagePage.self, from: body, status: 200)
    }
}

/// Where a page of messages begins.
public enum PagePlace: Sendable {
    /// At a moment, as RFC 3339 writes it; messages before it may be on the page where few follow.
    case moment(String)
    /// After a message.
    case after(String)

    /// How a request says it.
    var parameter: (String, String?) {
        switch self {
        case .moment(let moment): ("at", moment)
        case .after(let message): ("after", message)
        }
    }
}
