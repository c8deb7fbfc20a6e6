import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Of whatever node: what it remembers is compared before it is used.
    private static let writer = ConversationListWriter()

    /// Conversations as a whole: list, make, look at, change, mark as read.
    static let conversations = [
        Route(
            .get, "/conversations",
            parameters: ["query", "tag", "archived", "requests", "members", "after", "limit"]
        ) { request, node in
            let filter = ConversationFilter(
                query: request.parameter("query"), tag: request.parameter("tag"), part: try part(request))
            let page = try ListPage(of: request)
            let members = try memberLimit(request)
            let found = try await node.conversations(
                filter, after: page.after, limit: page.limitToAsk, members: members)
            let shown = page.shown(of: found)
            // What the writer remembers has all members.
            let bytes = members == nil ? try writer.encode(shown) : try WireFormat.encode(shown)
            return page.response(bytes, isLast: shown.count == found.count, lastID: shown.last?.id)
        },
        Route(.post, "/conversations", taking: CreateConversation.self) { _, wanted, node in
            switch wanted.kind {
            case .group:
                // What is no picture is refused before there is a group.
                let photo = try await node.photoChange(file: wanted.photo)
                var made = try await node.createGroup(name: wanted.name, members: wanted.members)
                if let photo { made = try await node.set(name: nil, description: nil, photo: photo, of: made.id) }
                return try APIResponse.created(made, at: "conversations", made.id)
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
        Route(.get, "/conversations/{id}/statistics", parameters: ["days", "time_zone"]) { request, node in
            try APIResponse.json(
                await node.statistics(
                    of: request.segment("id"),
                    days: request.number("days", within: 1...Node.maximumStatisticsDays) ?? 30,
                    timeZone: request.parameter("time_zone")))
        },
        Route(.patch, "/conversations/{id}", taking: ChangeConversation.self) { request, change, node in
            try APIResponse.json(
                await node.set(
                    name: change.name, description: change.description,
                    photo: node.photoChange(file: change.photo), settings: change.settings ?? [:],
                    of: request.segment("id")))
        },
        Route(.delete, "/conversations/{id}") { request, node in
            try APIResponse.json(await node.erase(request.segment("id")))
        },
        Route(.put, "/conversations/{id}/retention", taking: ChangeRetention.self) { request, change, node in
            try APIResponse.json(await node.keep(request.segment("id"), days: change.days))
        },
        Route(.post, "/conversations/{id}/read", taking: ReadConversation.self) { request, read, node in
            try APIResponse.json(await node.markRead(request.segment("id"), upTo: read.upTo))
        },
    ]

    /// How many members of each conversation are wanted; nil for all.
    private static func memberLimit(_ request: APIRequest) throws(RequestRefusal) -> Int? {
        switch request.parameter("members") {
        case nil, "true": return nil
        case "false": return 0
        case .some(let text):
            guard let number = Int(text), (0...ListPage.maximumLimit).contains(number) else {
                throw .invalid(
                    "The query parameter \"members\" must be true, false or a number from 0 to \(ListPage.maximumLimit)"
                )
            }
            return number
        }
    }

    private static func part(_ request: APIRequest) throws(RequestRefusal) -> ConversationFilter.Part {
        switch (try request.flag("archived"), try request.flag("requests")) {
        case (false, false): return .current
        case (true, false): return .archived
        case (false, true): return .requests
        case (true, true): throw .invalid("Ask for the conversations that are archived or for requests")
        }
    }
}
