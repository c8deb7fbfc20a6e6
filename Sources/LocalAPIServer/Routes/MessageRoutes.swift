import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Reading and writing messages.
    static let messages = [
        Route(.get, "/conversations/{id}/messages", parameters: ["before", "after", "limit"]) { request, node in
            try APIResponse.json(
                await node.messages(
                    in: request.segment("id"), before: request.parameter("before"), after: request.parameter("after"),
                    limit: request.number("limit", within: 1...1_000) ?? 50))
        },
        Route(.post, "/conversations/{id}/messages", taking: SendMessages.self) { request, wanted, node in
            guard (wanted.clientID?.utf8.count ?? 0) <= SendMessages.maximumClientIDBytes else {
                throw RequestRefusal.invalid("\"client_id\" has at most \(SendMessages.maximumClientIDBytes) bytes")
            }
            if let files = wanted.files {
                guard wanted.texts == nil, (1...Node.filesPerMessage).contains(files.count) else {
                    throw RequestRefusal.invalid(
                        "The list \"files\" has 1 to \(Node.filesPerMessage) files, and goes with one \"text\" or none")
                }
                let sent = try await node.send(
                    wanted.text, files: files, to: request.segment("id"), replyTo: wanted.replyTo,
                    clientID: wanted.clientID)
                return try APIResponse.json(sent, status: .created)
            }
            switch (wanted.text, wanted.texts) {
            case (let text?, nil):
                let sent = try await node.send(
                    [text], to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientID,
                    clearsDraft: wanted.clearDraft ?? false)
                return try APIResponse.json(sent.first, status: .created)
            case (nil, let texts?):
                guard (1...Node.textsPerRequest).contains(texts.count) else {
                    throw RequestRefusal.invalid("The list \"texts\" has 1 to \(Node.textsPerRequest) texts")
                }
                let sent = try await node.send(
                    texts, to: request.segment("id"), replyTo: wanted.replyTo, clientID: wanted.clientID,
                    clearsDraft: wanted.clearDraft ?? false)
                return try APIResponse.json(SentMessages(ids: sent.map(\.id)), status: .created)
            case (nil, nil), (.some, .some):
                throw RequestRefusal.invalid("The body has either \"text\" or \"texts\", or \"files\"")
            }
        },
    ]
}
