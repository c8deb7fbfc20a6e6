import Hummingbird
import LocalAPIModel
import Node
import NodeCore

extension Route {
    /// Whom the node knows, and how sure its user is of them.
    static let people = [
        Route(.get, "/people", parameters: ["query", "after", "limit"]) { request, node in
            let page = try ListPage(of: request)
            let people = await node.people(matching: request.parameter("query"))
            var rest = people[...]
            if let after = page.after {
                guard let last = people.firstIndex(where: { $0.user == after }) else {
                    throw NodeError(
                        .unknownPerson, "The last person of the page before is not in the list any more",
                        hint: "Begin again with the first page.")
                }
                rest = people[(last + 1)...]
            }
            let shown = page.shown(of: Array(rest.prefix(page.limitToAsk)))
            return page.response(
                try WireFormat.encode(shown), isLast: shown.count == rest.count, lastID: shown.last?.user)
        },
        Route(.post, "/people", taking: AddPerson.self) { _, person, node in
            try APIResponse.json(await node.add(contact: person.code))
        },
        Route(.get, "/people/{user}") { request, node in
            try APIResponse.json(await node.person(request.segment("user")))
        },
        Route(.delete, "/people/{user}") { request, node in
            try APIResponse.json(await node.forget(request.segment("user")))
        },
        Route(.get, "/people/{user}/devices") { request, node in
            try APIResponse.json(await node.devices(of: request.segment("user")))
        },
        Route(.get, "/people/{user}/code") { request, node in
            try APIResponse.json(await node.comparison(with: request.segment("user")))
        },
        Route(.post, "/people/{user}/reachability") { request, node in
            try APIResponse.json(await node.askReachability(of: request.segment("user")))
        },
        Route(.put, "/people/{user}/verified", taking: ChangeVerified.self) { request, change, node in
            try APIResponse.json(await node.setVerified(change.verified, of: request.segment("user")))
        },
        Route(.put, "/people/{user}/blocked", taking: ChangeBlocked.self) { request, change, node in
            try APIResponse.json(await node.setBlocked(change.blocked, of: request.segment("user")))
        },
    ]
}
