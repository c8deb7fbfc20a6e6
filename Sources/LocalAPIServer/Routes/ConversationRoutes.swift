import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Of whatever node: what it remembers is compared before it is used.
    private static let writer = ConversationListWriter()

    /// Conversations as a whole: list, make, look at, change, mark as read.
    static let conversations = [
        Route(.get, "/conversations", parameters: ["query", "tag", "archived", "requests"]) { request, node in
            let filter = ConversationFilter(
                query: request.parameter("query"), tag: request.parameter("tag"), part: try part(request))
            return APIResponse.json(written: try writer.encode(await node.conversations(filter)))
        },
        Route(.post, "/conversations", taking: CreateConversation.self) { _, wanted, node in
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
        Route(.get, "/conversations/{id}") { request, node in
            try APIResponse.json(await node.conversation(request.segment("id")))
        },
        Route(.patch, "/conversations/{id}", taking: ChangeConversation.self) { request, change, node in
            try APIResponse.json(
                await node.set(
                    name: change.name, description: change.description,
                    photo: node.photoChange(file: change.photo), settings: change.settings ?? [:],
                    of: request.segment("id")))
        },
        Route(.put, "/conversations/{id}/retention", taking: ChangeRetention.self) { request, change, node in
            try APIResponse.json(await node.keep(request.segment("id"), days: change.days))
        },
        Route(.post, "/conversations/{id}/read") { request, node in
            try APIResponse.json(await node.markRead(request.segment("id")))
        },
    ]

    private static func part(_ request: APIRequest) throws(RequestRefusal) -> ConversationFilter.Part {
        switch (try request.flag("archived"), try request.flag("requests")) {
        case (false, false): return .current
        case (true, false): return .archived
        case (false, true): return .requests
        case (true, true): throw .invalid("Ask for the conversations that are archived or for requests")
        }
    }
}
