import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Reading and writing messages.
    static let messages = [
        Route(
            .get, "/conversations/{id}/messages",
            parameters: ["before", "after", "around", "at", "unread", "limit"]
        ) { request, node in
            let limit = try request.number("limit", within: 1...1_000) ?? 50
            let conversation = try request.segment("id")
            switch try place(request) {
            case .between(let before, let after):
                return try APIResponse.json(
                    await node.messages(in: conversation, before: before, after: after, limit: limit))
            case .around(let center):
                return try APIResponse.json(await node.messages(in: conversation, around: center, limit: limit))
            case .unread(let after):
                return try APIResponse.json(await node.unreadMessages(in: conversation, after: after, limit: limit))
            }
        },
        Route(.post, "/conversations/{id}/messages", taking: SendMessages.self) { request, wanted, node in
            guard (wanted.clientId?.utf8.count ?? 0) <= APILimits.maximumClientIDBytes else {
                throw RequestRefusal.invalid("\"client_id\" has at most \(APILimits.maximumClientIDBytes) bytes")
            }
            if let files = wanted.files {
                guard wanted.texts == nil, (1...Node.maximumFilesPerMessage).contains(files.count) else {
                    throw RequestRefusal.invalid(
                        "The list \"files\" has 1 to \(Node.maximumFilesPerMessage) files, and goes with one \"text\" or none"
                    )
                }
                let sent = try await node.send(
                    wanted.text, files: files, to: request.segment("id"), replyTo: wanted.replyTo,
                    clientID: wanted.clientId)
                return try APIResponse.created(sent, at: "messages", sent.id)
            }
            switch (wanted.text, wanted.texts) {
            case (let text?, nil):
                let sent = try await node.send(
                    [text], to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientId,
                    clearsDraft: wanted.clearDraft ?? false)
                guard let message = sent.first else { preconditionFailure("a text makes a message") }
                return try APIResponse.created(message, at: "messages", message.id)
            case (nil, let texts?):
                guard (1...Node.maximumTextsPerRequest).contains(texts.count) else {
                    throw RequestRefusal.invalid("The list \"texts\" has 1 to \(Node.maximumTextsPerRequest) texts")
                }
                let sent = try await node.send(
                    texts, to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientId,
                    clearsDraft: wanted.clearDraft ?? false)
                // Several messages have no one place; that of the conversation's messages is the path itself.
                return try APIResponse.json(SentMessages(ids: sent.map(\.id)), status: .created)
            case (nil, nil), (.some, .some):
                throw RequestRefusal.invalid("The body has either \"text\" or \"texts\", or \"files\"")
            }
        },
    ]

    /// Which messages a page has.
    private enum Place {
        /// Those next to one of two messages, or the newest.
        case between(before: String?, after: String?)
        /// Those on both sides of a place.
        case around(Node.PageCenter)
        /// Those that are unread.
        case unread(after: String?)
    }

    private static func place(_ request: APIRequest) throws(RequestRefusal) -> Place {
        let (before, after) = (request.parameter("before"), request.parameter("after"))
        let (around, moment) = (request.parameter("around"), request.parameter("at"))
        let isUnread = try request.flag("unread")
        switch (around, moment) {
        case (nil, nil):
            guard isUnread else { return .between(before: before, after: after) }
            guard before == nil else {
                throw .invalid("The query parameters \"before\" and \"unread\" exclude each other")
            }
            return .unread(after: after)
        case (let message?, nil) where before == nil && after == nil && !isUnread: return .around(.message(message))
        case (nil, let moment?) where before == nil && after == nil && !isUnread: return .around(.moment(moment))
        case (.some, _), (_, .some):
            throw .invalid(
                "The query parameters \"around\" and \"at\" go with no other place: ask for one page by one of them")
        }
    }
}
