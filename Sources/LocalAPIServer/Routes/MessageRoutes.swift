import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Reading and writing messages.
    static let messages = [
        Route(.get, "/conversations/{id}/messages", parameters: ["before", "after", "unread", "limit"]) {
            request, node in
            let limit = try request.number("limit", within: 1...1_000) ?? 50
            guard try request.flag("unread") else {
                return try APIResponse.json(
                    await node.messages(
                        in: request.segment("id"), before: request.parameter("before"),
                        after: request.parameter("after"), limit: limit))
            }
            guard request.parameter("before") == nil else {
                throw RequestRefusal.invalid("The query parameters \"before\" and \"unread\" exclude each other")
            }
            return try APIResponse.json(
                await node.unreadMessages(
                    in: request.segment("id"), after: request.parameter("after"), limit: limit))
        },
        Route(.post, "/conversations/{id}/messages", taking: SendMessages.self) { request, wanted, node in
            guard (wanted.clientID?.utf8.count ?? 0) <= SendMessages.maximumClientIDBytes else {
                throw RequestRefusal.invalid("\"client_id\" has at most \(SendMessages.maximumClientIDBytes) bytes")
            }
            if let files = wanted.files {
                guard wanted.texts == nil, (1...Node.maximumFilesPerMessage).contains(files.count) else {
                    throw RequestRefusal.invalid(
                        "The list \"files\" has 1 to \(Node.maximumFilesPerMessage) files, and goes with one \"text\" or none"
                    )
                }
                let sent = try await node.send(
                    wanted.text, files: files, to: request.segment("id"), replyTo: wanted.replyTo,
                    clientID: wanted.clientID)
                return try APIResponse.created(sent, at: "messages", sent.id)
            }
            switch (wanted.text, wanted.texts) {
            case (let text?, nil):
                let sent = try await node.send(
                    [text], to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientID,
                    clearsDraft: wanted.clearDraft ?? false)
                guard let message = sent.first else { preconditionFailure("a text makes a message") }
                return try APIResponse.created(message, at: "messages", message.id)
            case (nil, let texts?):
                guard (1...Node.maximumTextsPerRequest).contains(texts.count) else {
                    throw RequestRefusal.invalid("The list \"texts\" has 1 to \(Node.maximumTextsPerRequest) texts")
                }
                let sent = try await node.send(
                    texts, to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientID,
                    clearsDraft: wanted.clearDraft ?? false)
                // Several messages have no one place; that of the conversation's messages is the path itself.
                return try APIResponse.json(SentMessages(ids: sent.map(\.id)), status: .created)
            case (nil, nil), (.some, .some):
                throw RequestRefusal.invalid("The body has either \"text\" or \"texts\", or \"files\"")
            }
        },
    ]
}
