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
    /// The name of the cookie. Cookies know no ports, so that of each node on a host has a name of its own.
    let cookieName: String
    /// Whose pages may use the API besides the node's own.
    let allowedOrigin: AllowedOrigin?
    private let otherHosts: [String]
    private let tokens: TokenStore
    private let file: PrivateFile<WebSession>
    private let state: Mutex<State>

    private struct State {
        var keys: LoopbackSecrets
        var sessions: WebSessions
        /// Nil before the server listens.
        var port: Int?
    }

    /// Draws the secrets, and reads which browsers stay let in.
    ///
    /// - Parameters:
    ///   - home: The folder of the node.
    ///   - device: The id of the node's device.
    ///   - otherHosts: Names besides those of loopback under which browsers ask for the server.
    ///   - allowedOrigin: Whose pages may use the API besides the node's own.
    ///   - tokens: Those that outlive the node's run.
    /// - Throws: `bad_configuration` if the file of sessions is damaged, `permission_denied`.
    init(
        home: String, device: String, otherHosts: [String], allowedOrigin: AllowedOrigin?, tokens: TokenStore
    ) throws(NodeError) {
        self.allowedOrigin = allowedOrigin
        self.tokens = tokens
        cookieName = "moot-\(device.prefix(12))"
        self.otherHosts = otherHosts
        file = PrivateFile(home: home, name: "web-sessions.json", of: "browsers")
        var random = SystemRandom()
        state = Mutex(
            State(
                keys: LoopbackSecrets(using: &random),
                sessions: WebSessions(remembered: try file.read(), at: Self.now), port: nil))
    }

    /// Notes on which port the server listens.
    func listens(on port: Int) {
        state.withLock { $0.port = port }
    }

    /// Whether the server listens.
    var isListening: Bool { state.withLock { $0.port != nil } }

    /// The names that a request may ask for.
    var hosts: LoopbackHosts { LoopbackHosts(port: state.withLock { $0.port } ?? 0, others: otherHosts) }

    /// Where the server is, without a slash at the end; nil before it listens.
    var origin: String? { state.withLock { $0.port.map(Self.origin) } }

    /// The bearer token for programs.
    var token: String { state.withLock { $0.keys.tokenText } }

    /// A new single-use address; nil before the server listens.
    ///
    /// - Parameter remembered: Whether the browser that follows it stays let in beyond the node's run.
    func makeAddress(remembered: Bool = false) -> WebAddressDescription? {
        var random = SystemRandom()
        return state.withLock { state in
            guard let port = state.port else { return nil }
            let secret = state.keys.makeAddress(remembered: remembered, at: .now, using: &random)
            return WebAddressDescription(
                address: "\(Self.origin(port))/open/" + secret,
                expiresInSeconds: Int(LoopbackSecrets.addressLifetime.components.seconds))
        }
    }

    /// Uses up the secret part of a single-use address, and begins a session.
    ///
    /// - Returns: the cookie for it, and by what the page claims the key; nil if the address is no good.
    func enter(by secret: some StringProtocol) -> (cookie: String, claim: String)? {
        var random = SystemRandom()
        return state.withLock { state in
            guard let isRemembered = state.keys.useAddress(secret, at: .now) else { return nil }
            let entrance = state.sessions.begin(remembered: isRemembered, at: Self.now, using: &random)
            return (cookie(entrance.cookie, remembered: isRemembered), entrance.claim)
        }
    }

    /// What makes a browser keep the cookie of a session.
    private func cookie(_ value: String, remembered isRemembered: Bool) -> String {
        // Without an age it goes when the browser does.
        let age = isRemembered ? "; Max-Age=\(WebSession.lifetime.components.seconds)" : ""
        return "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict\(age)"
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

    /// Whether the client of a request that goes on, such as a stream of events, would still be let in: a ticket is for its beginning.
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

    /// Makes the key of the session of a request, for the page that shows by what it is claimed; nil for anybody else, and a second time.
    ///
    /// The page shows the key that it had until now, if it had one: its session goes on as this one.
    ///
    /// - Returns: the key, and the cookie where the browser is to keep that longer than it was told.
    /// - Throws: `disk_full`, `permission_denied` where the session cannot be remembered; it can be claimed again then.
    func claimKey(of request: Request, showing claim: String) throws(NodeError) -> (key: String, cookie: String?)? {
        var random = SystemRandom()
        return try state.withLock { state throws(NodeError) in
            var sessions = state.sessions
            let claimed = sessions.claimKey(
                of: cookies(of: request), showing: claim, before: request.headers[.mootKey], at: Self.now,
                using: &random)
            guard let claimed else { return nil }
            try keep(sessions, in: &state)
            return (claimed.key, claimed.cookieToKeep.map { cookie($0, remembered: true) })
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
    /// - Throws: `disk_full`, `permission_denied`. It goes on until the file says otherwise.
    func end(session id: String) throws(NodeError) -> WebSessionDescription? {
        try state.withLock { state throws(NodeError) in
            var sessions = state.sessions
            guard let ended = sessions.end(id, at: Self.now) else { return nil }
            try keep(sessions, in: &state)
            return ended
        }
    }

    /// Takes over changed sessions, after what outlives the run is on disk.
    private func keep(_ sessions: WebSessions, in state: inout State) throws(NodeError) {
        if sessions.remembered != state.sessions.remembered { try file.write(sessions.remembered) }
        state.sessions = sessions
    }

    /// What a request shows of the cookie of this node.
    private func cookies(of request: Request) -> [String] {
        request.headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(cookieName + "=") else { return nil }
            return String(pair.dropFirst(cookieName.utf8.count + 1))
        }
    }

    private static var now: WebSessions.Moment {
        WebSessions.Moment(
            monotonic: .now, wall: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
    }

    private static func origin(_ port: Int) -> String { "http://127.0.0.1:\(port)" }
}

extension Request {
    /// The ticket that stands for the key of a session, where one is taken: where a browser sends no header of a page's own.
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
