import HTTPTypes
import Hummingbird
import Node

extension Endpoint {
    /// What lets the user's browsers and programs in on loopback. Only the Unix socket gives it, so that a page that was let in
    /// cannot get itself a secret that outlives it.
    static let web = [
        Endpoint(.post, "/web/addresses") { asked, _ in
            guard let address = try loopback(of: asked).makeAddress() else { throw RequestRefusal.noWeb }
            return try APIResponse.json(address, status: .created)
        },
        Endpoint(.get, "/web/token") { asked, _ in
            let access = try loopback(of: asked)
            guard let origin = access.origin else { throw RequestRefusal.noWeb }
            return try APIResponse.json(WebTokenDescription(token: access.token, origin: origin))
        },
    ]

    private static func loopback(of asked: APIRequest) throws(RequestRefusal) -> LoopbackAccess {
        guard asked.arrival == .socket else { throw .socketOnly }
        guard let access = asked.state.loopback else { throw .noWeb }
        return access
    }
}
