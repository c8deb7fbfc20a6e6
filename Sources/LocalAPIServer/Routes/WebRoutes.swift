import Cryptography
import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node

extension Route {
    /// What lets the user's browsers and programs in on loopback. Only the Unix socket gives it, so that a page that
    /// was let in cannot get itself a secret that outlives its session.
    static let web = [
        Route(.post, "/web/addresses") { request, _ in
            guard request.arrival == .socket else { throw RequestRefusal.socketOnly }
            guard let address = try loopback(of: request).makeAddress() else {
                throw RequestRefusal.noWeb
            }
            var response = try APIResponse.json(address, status: .created)
            response.headers[.location] = address.address
            return response
        },
        Route(.get, "/web/token") { request, _ in
            guard request.arrival == .socket else { throw RequestRefusal.socketOnly }
            let access = try loopback(of: request)
            guard let origin = access.origin else { throw RequestRefusal.noWeb }
            return try APIResponse.json(WebTokenDescription(token: access.token, origin: origin))
        },
    ]

    /// The browsers that were let in: what each still needs to ask for anything, and which there are.
    static let sessions = [
        Route(.post, "/web/key", taking: ClaimWebKey.self) { request, wanted, _ in
            let access = try loopback(of: request)
            guard request.arrival == .loopback, request.httpRequest.headers[.authorization] == nil else {
                throw RequestRefusal.noSession
            }
            guard access.session(of: request.httpRequest) == nil else { throw RequestRefusal.keyClaimed }
            guard let claimed = access.claimKey(of: request.httpRequest, showing: wanted.claim) else {
                throw RequestRefusal.notAdmitted
            }
            return try APIResponse.json(claimed)
        },
        Route(.post, "/web/proof", taking: ProveNode.self) { request, wanted, _ in
            guard HexadecimalText.decode(wanted.nonce)?.count == SHA256.byteCount else {
                throw RequestRefusal.invalid("A nonce is 64 hexadecimal digits in lower case")
            }
            return try APIResponse.json(WebProofDescription(proof: try loopback(of: request).proof(of: wanted.nonce)))
        },
        Route(.post, "/web/tickets") { request, _ in
            let access = try loopback(of: request)
            guard let ticket = access.makeTicket(of: try session(of: request)) else { throw RequestRefusal.notAdmitted }
            let lifetime = Int(WebSessions.ticketLifetime.components.seconds)
            return try APIResponse.json(WebTicketDescription(ticket: ticket, expiresInSeconds: lifetime))
        },
        Route(.get, "/web/sessions") { request, _ in
            let access = try loopback(of: request)
            return try APIResponse.json(access.sessions(current: access.session(of: request.httpRequest)))
        },
        Route(.delete, "/web/sessions/{id}") { request, _ in
            let id = try request.segment("id")
            guard let ended = try loopback(of: request).end(session: id) else {
                throw RequestRefusal.noSuchSession(id)
            }
            return try APIResponse.json(ended)
        },
    ]

    /// The session of the browser that asks.
    private static func session(of request: APIRequest) throws(RequestRefusal) -> WebSession {
        guard request.arrival == .loopback, let session = try loopback(of: request).session(of: request.httpRequest)
        else { throw .noSession }
        return session
    }

    private static func loopback(of request: APIRequest) throws(RequestRefusal) -> LoopbackAccess {
        guard let access = request.state.loopback else { throw .noWeb }
        return access
    }
}
