import Hummingbird
import Node

extension Endpoint {
    /// Of whatever node: what it remembers is compared before it is used.
    private static let writer = ConversationListWriter()

    /// Conversations as a whole: list, make, look at, change, mark as read.
    static let conversations = [
        Endpoint(.get, "/conversations", parameters: ["query", "tag", "archived", "requests"]) { asked, node in
            let filter = ConversationFilter(
                query: asked.parameter("query"), tag: asked.parameter("tag"), part: try part(asked))
            return APIResponse.json(written: try writer.encode(await node.conversations(filter)))
        },
        Endpoint(.post, "/conversations", taking: CreateConversation.self) { _, wanted, node in
            switch wanted.kind {
            case .group:
                // What is no picture is refused before there is a group.
                let photo = try await node.photoChange(file: wanted.photo)
                var made = try await node.createGroup(name: wanted.name, members: wanted.members)
                if let photo { made = try await node.set(name: nil, description: nil, photo: photo, of: made.id) }
                return try APIResponse.json(made, status: .created)
            case .direct:
                guard let person = wanted.members.first, wanted.members.count == 1, wanted.name == nil,
                    wanted.photo == nil
                else {
                    throw RequestRefusal.invalid(
                        "A direct conversation has exactly one other member, no name and no photo")
                }
                return try APIResponse.json(await node.openDirect(with: person))
            }
        },
        Endpoint(.get, "/conversations/{id}") { asked, node in
            try APIResponse.json(await node.conversation(asked.segment("id")))
        },
        Endpoint(.patch, "/conversations/{id}", taking: ChangeConversation.self) { asked, change, node in
            try APIResponse.json(
                await node.set(
                    name: change.name, description: change.description,
                    photo: node.photoChange(file: change.photo), settings: change.settings ?? [:],
                    of: asked.segment("id")))
        },
        Endpoint(.put, "/conversations/{id}/retention", taking: ChangeRetention.self) { asked, change, node in
            try APIResponse.json(await node.keep(asked.segment("id"), days: change.days))
        },
        Endpoint(.post, "/conversations/{id}/read") { asked, node in
            try APIResponse.json(await node.markRead(asked.segment("id")))
        },
    ]

    private static func part(_ asked: APIRequest) throws(RequestRefusal) -> ConversationFilter.Part {
        switch (try asked.flag("archived"), try asked.flag("requests")) {
        case (false, false): return .current
        case (true, false): return .archived
        case (false, true): return .requests
        case (true, true): throw .invalid("Ask for the conversations that are archived or for requests")
        }
    }
}
