import Hummingbird
import Node

extension Endpoint {
    /// Whom the node knows, and how sure its user is of them.
    static let people = [
        Endpoint(.get, "/people") { _, node in
            try APIResponse.json(await node.people())
        },
        Endpoint(.post, "/people", taking: AddPerson.self) { _, person, node in
            try APIResponse.json(await node.add(contact: person.code))
        },
        Endpoint(.get, "/people/{user}") { asked, node in
            try APIResponse.json(await node.person(asked.segment("user")))
        },
        Endpoint(.get, "/people/{user}/code") { asked, node in
            try APIResponse.json(await node.comparison(with: asked.segment("user")))
        },
        Endpoint(.put, "/people/{user}/verified", taking: ChangeVerified.self) { asked, change, node in
            try APIResponse.json(await node.setVerified(change.verified, of: asked.segment("user")))
        },
        Endpoint(.put, "/people/{user}/blocked", taking: ChangeBlocked.self) { asked, change, node in
            try APIResponse.json(await node.setBlocked(change.blocked, of: asked.segment("user")))
        },
    ]
}
