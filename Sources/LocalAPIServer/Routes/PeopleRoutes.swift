import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Whom the node knows, and how sure its user is of them.
    static let people = [
        Route(.get, "/people") { _, node in
            try APIResponse.json(await node.people())
        },
        Route(.post, "/people", taking: AddPerson.self) { _, person, node in
            try APIResponse.json(await node.add(contact: person.code))
        },
        Route(.get, "/people/{user}") { request, node in
            try APIResponse.json(await node.person(request.segment("user")))
        },
        Route(.get, "/people/{user}/code") { request, node in
            try APIResponse.json(await node.comparison(with: request.segment("user")))
        },
        Route(.put, "/people/{user}/verified", taking: ChangeVerified.self) { request, change, node in
            try APIResponse.json(await node.setVerified(change.verified, of: request.segment("user")))
        },
        Route(.put, "/people/{user}/blocked", taking: ChangeBlocked.self) { request, change, node in
            try APIResponse.json(await node.setBlocked(change.blocked, of: request.segment("user")))
        },
    ]
}
