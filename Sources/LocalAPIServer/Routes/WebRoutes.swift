import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// What lets the user's browsers and programs in on loopback. Only the Unix socket gives it, so that a page that was let in
    /// cannot get itself a secret that outlives it.
    static let web = [
        Route(.post, "/web/addresses") { request, _ in
            guard let address = try loopback(of: request).makeAddress() else { throw RequestRefusal.noWeb }
            var response = try APIResponse.json(address, status: .created)
            response.headers[.location] = address.address
            return response
        },
        Route(.get, "/web/token") { request, _ in
            let access = try loopback(of: request)
            guard let origin = access.origin else { throw RequestRefusal.noWeb }
            return try APIResponse.json(WebTokenDescription(token: access.token, origin: origin))
        },
    ]

    private static func loopback(of request: APIRequest) throws(RequestRefusal) -> LoopbackAccess {
        guard request.arrival == .socket else { throw .socketOnly }
        guard let access = request.state.loopback else { throw .noWeb }
        return access
    }
}
