import Hummingbird
import Node

extension Endpoint {
    /// Looking for messages.
    static let search = [
        Endpoint(.get, "/search", parameters: ["q", "conversation", "before", "limit"]) { asked, node in
            try APIResponse.json(
                await node.search(
                    asked.parameter("q") ?? "", in: asked.parameter("conversation"), before: asked.parameter("before"),
                    limit: asked.number("limit", within: 1...Node.maximumResults) ?? 20))
        }
    ]
}
