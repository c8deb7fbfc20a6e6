import Hummingbird
import Node

extension Endpoint {
    /// What the user keeps for himself about a conversation.
    static let privateStates = [
        Endpoint(.put, "/conversations/{id}/private") { asked, node in
            let change = try await asked.body(ChangePrivate.self)
            return try Answer.json(await node.change(change.wish, of: asked.segment("id")))
        }
    ]
}
