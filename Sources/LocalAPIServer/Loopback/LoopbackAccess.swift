import Cryptography
import FoundationEssentials
import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore
import Synchronization

/// Where the API is on loopback, and who may use it.
final class LoopbackAccess: Sendable {
    /// The name of the page in this run: 128 random bits below `localhost`. Its cookies go with it.
    let pageName: String
    /// Below which path the files of the page are in this run.
    let pagePath: String
    /// The name of the cookie.
    let cookieName: String
    /// Whose pages may use the API besides the node's own.
    let allowedOrigin: AllowedOrigin?
    private let otherHosts: [String]
    private let tokens: TokenStore
    private let state: Mutex<State>
    /// Nil before the server listens. It has a lock of its own: what a session shows is read while that of the sessions
    /// is held.
    private let port = Mutex<Int?>(nil)

    private struct State {
        var keys: LoopbackSecrets
        var sessions: WebSessions
        /// Whether the user was told that something planted itself in their browser.
        var hasTold = false
    }

    /// Draws the names and the secrets of this run.
    ///
    /// - Parameters:
    ///   - device: The id of the node's device.
    ///   - otherHosts: Names besides those of loopback under which programs ask for the server.
    ///   - allowedOrigin: Whose pages may use the API besides the node's own.
    ///   - tokens: Those that outlive the node's run.
    init(device: String, otherHosts: [String], allowedOrigin: AllowedOrigin?, tokens: TokenStore) {
        self.allowedOrigin = allowedOrigin
        self.tokens = tokens
        cookieName = "moot-\(device.prefix(12))"
        self.otherHosts = otherHosts
        var random = SystemRandom()
        pageName = HexadecimalText.encode(random.bytes(16)) + ".localhost"
        pagePath = HexadecimalText.encode(random.bytes(16))
        state = Mutex(State(keys: LoopbackSecrets(using: &random), sessions: WebSessions()))
    }

    /// Notes on which port the server listens.
    func listens(on port: Int) {
        self.port.withLock { $0 = port }
    }

    /// Whether the server listens.
    var isListening: Bool { port.withLock { $0 != nil } }

    /// The names that a request may ask for.
    var hosts: LoopbackHosts {
        LoopbackHosts(page: pageName, port: port.withLock { $0 } ?? 0, others: otherHosts)
    }

    /// Where programs find the server, without a slash at the end; nil before it listens.
    var origin: String? { port.withLock { $0.map { "http://127.0.0.1:\($0)" } } }

    /// The bearer token for programs.
    var token: String { state.withLock { $0.keys.tokenText } }

    /// A new single-use address; nil before the server listens.
    func makeAddress() -> WebAddressDescription? {
        var random = SystemRandom()
        guard let port = port.withLock({ $0 }) else { return nil }
        return state.withLock { state in
            let secret = state.keys.makeAddress(at: .now, using: &random)
            return WebAddressDescription(
                address: "http://\(pageName):\(port)/open/" + secret,
                expiresInSeconds: Int(LoopbackSecrets.addressLifetime.components.seconds))
        }
    }

    /// Uses up the secret part of a single-use address, and begins a session.
    ///
    /// - Returns: the cookie for it, and by what the page claims the key; nil if the address is no good.
    func enter(by secret: some StringProtocol) -> (cookie: String, claim: String)? {
        var random = SystemRandom()
        return state.withLock { state in
            guard state.keys.useAddress(secret, at: .now) else { return nil }
            let entrance = state.sessions.begin(at: Self.now, using: &random)
            // Without an age it goes when the browser does, and without a domain to no other name.
            return ("\(cookieName)=\(entrance.cookie); Path=/; HttpOnly; SameSite=Strict", entrance.claim)
        }
    }

    /// What the node says to a number that a page drew, so that the page knows whom it is about to show its secrets.
    func proof(of nonce: String) -> String { state.withLock { $0.keys.proof(of: nonce) } }

    /// Whether the user is to be told that something planted itself in their browser: once in a run.
    func mustTellOfWorker() -> Bool {
        state.withLock { state in
            defer { state.hasTold = true }
            return !state.hasTold
        }
    }

    /// How far the client that makes a request was let in; nil if it was not.
    func admission(of request: Request) -> Admission? {
        if let authorization = request.headers[.authorization] {
            let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            guard !state.withLock({ $0.keys.opens(token: parts[1]) }) else { return .everything }
            return tokens.admission(of: parts[1])
        }
        return session(of: request).map { _ in .everything }
    }

    /// Whether the client of a request that goes on, such as a stream of events, would still be let in: a ticket is for
    /// its beginning.
    func goesOn(_ request: Request) -> Bool {
        guard request.headers[.authorization] == nil else { return admission(of: request) != nil }
        return state.withLock { $0.sessions.goesOn(cookies(of: request)) }
    }

    // MARK: - Sessions

    /// The session of the browser that makes a request; nil for another program, or one that is not let in.
    func session(of request: Request) -> WebSession? {
        let proof = WebSessions.Proof(
            cookies: cookies(of: request), key: request.headers[.mootKey], ticket: request.ticket)
        return state.withLock { $0.sessions.session(showing: proof, at: Self.now) }
    }

    /// Whether a request is of a browser whose page has yet to claim its key: it may do that and nothing else.
    func mayClaim(_ request: Request) -> Bool {
        guard request.method == .post, request.uri.path == APIPath.prefix + "/web/key" else { return false }
        return state.withLock { $0.sessions.awaitsClaim(cookies(of: request), at: Self.now) }
    }

    /// Makes the key of the session of a request, for the page that shows by what it is claimed; nil for anybody else,
    /// and a second time.
    ///
    /// The page shows the key that it had until now, if it had one: its session goes on as this one.
    ///
    /// - Returns: the key, and by what the page knows this node again.
    func claimKey(of request: Request, showing claim: String) -> WebKeyDescription? {
        var random = SystemRandom()
        return state.withLock { state in
            state.sessions.claimKey(
                of: cookies(of: request), showing: claim, before: request.headers[.mootKey], at: Self.now,
                using: &random
            ).map { WebKeyDescription(key: $0, node: state.keys.commonText) }
        }
    }

    /// Makes a ticket of a session; nil if that is over.
    func makeTicket(of session: WebSession) -> String? {
        var random = SystemRandom()
        return state.withLock { $0.sessions.makeTicket(of: session, at: Self.now, using: &random) }
    }

    /// The browsers that are let in, the newest first.
    func sessions(current: WebSession?) -> [WebSessionDescription] {
        state.withLock { $0.sessions.descriptions(current: current, at: Self.now) }
    }

    /// Ends a session: its browser is not let in any more.
    ///
    /// - Returns: what it was; nil if there is none of this id.
    func end(session id: String) -> WebSessionDescription? { state.withLock { $0.sessions.end(id, at: Self.now) } }

    /// What a request shows of the cookie of this node, to the page's name: under no other one is there a session.
    private func cookies(of request: Request) -> [String] {
        guard hosts.kind(of: request.head.authority ?? "") == .page else { return [] }
        return request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(cookieName + "=") else { return nil }
            return String(pair.dropFirst(cookieName.utf8.count + 1))
        }
    }

    private static var now: WebSessions.Moment {
        WebSessions.Moment(
            monotonic: .now, wall: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }
}

extension Request {
    /// The ticket that stands for the key of a session, where one is taken: where a browser sends no header of a page's
    /// own.
    fileprivate var ticket: String? {
        let prefix = APIPath.prefix
        guard method == .get || method == .head,
            uri.path == prefix + "/events" || uri.path.hasPrefix(prefix + "/blobs/")
                || uri.path.hasPrefix(prefix + "/conversations/") && uri.path.hasSuffix("/archive")
        else { return nil }
        return (uri.query ?? "").split(separator: "&").first { $0.hasPrefix("ticket=") }.map { String($0.dropFirst(7)) }
    }
}

extension HTTPField.Name {
    /// The second secret of a browser's session.
    static let mootKey = known("Moot-Key")
}
