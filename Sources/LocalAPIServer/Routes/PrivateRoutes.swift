import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// What the user keeps for themselves about a conversation, and whether they look at it.
    static let preferences = [
        Route(.put, "/conversations/{id}/private", taking: ChangePrivate.self) { request, change, node in
            try APIResponse.json(await node.change(change.wish, of: request.segment("id")))
        },
        Route(.post, "/conversations/{id}/open") { request, node in
            try APIResponse.json(await node.keepOpen(request.segment("id")))
        },
        Route(.delete, "/conversations/{id}/open") { request, node in
            try APIResponse.json(await node.close(request.segment("id")))
        },
    ]
}
