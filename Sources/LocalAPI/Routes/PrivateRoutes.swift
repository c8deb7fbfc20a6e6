import Hummingbird
import Node

extension Endpoint {
    /// What the user keeps for themselves about a conversation, and whether they look at it.
    static let preferences = [
        Endpoint(.put, "/conversations/{id}/private", taking: ChangePrivate.self) { asked, change, node in
            try APIResponse.json(await node.change(change.wish, of: asked.segment("id")))
        },
        Endpoint(.post, "/conversations/{id}/open") { asked, node in
            try APIResponse.json(await node.keepOpen(asked.segment("id")))
        },
        Endpoint(.delete, "/conversations/{id}/open") { asked, node in
            try APIResponse.json(await node.close(asked.segment("id")))
        },
    ]
}
