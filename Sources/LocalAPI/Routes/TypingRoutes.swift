import Hummingbird
import Node

extension Endpoint {
    /// That the user writes.
    static let typing = [
        Endpoint(.post, "/conversations/{id}/typing") { asked, node in
            try APIResponse.json(await node.type(in: asked.segment("id")))
        }
    ]
}
