import Hummingbird
import Node

extension Route {
    /// Looking for messages.
    static let search = [
        Route(.get, "/search", parameters: ["q", "conversation", "before", "limit"]) { request, node in
            try APIResponse.json(
                await node.search(
                    request.parameter("q") ?? "", in: request.parameter("conversation"),
                    before: request.parameter("before"),
                    limit: request.number("limit", within: 1...Node.maximumResults) ?? 20))
        }
    ]
}
