import Hummingbird
import Node

extension Route {
    /// That the user writes.
    static let typing = [
        Route(.post, "/conversations/{id}/typing") { request, node in
            try APIResponse.json(await node.type(in: request.segment("id")))
        }
    ]
}
