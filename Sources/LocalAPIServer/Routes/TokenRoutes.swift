import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// Tokens that outlive the node's run. Only the Unix socket makes and ends them: whoever has one cannot make
    /// another.
    static let tokens = [
        Route(.get, "/web/tokens") { request, _ in
            try APIResponse.json(store(of: request).descriptions)
        },
        Route(.post, "/web/tokens", taking: CreateToken.self) { request, wanted, _ in
            let made = try store(of: request).create(named: wanted.name, readOnly: wanted.readOnly ?? false)
            return try APIResponse.created(made, at: "web", "tokens", made.name)
        },
        Route(.delete, "/web/tokens/{name}") { request, _ in
            try APIResponse.json(store(of: request).revoke(request.segment("name")))
        },
    ]

    private static func store(of request: APIRequest) throws(RequestRefusal) -> TokenStore {
        guard request.arrival == .socket else { throw .socketOnly }
        return request.state.tokens
    }
}
