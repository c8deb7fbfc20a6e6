import Cryptography
import LocalAPIModel
import Synchronization

/// Where the API is on loopback, and who may use it.
final class LoopbackAccess: Sendable {
    /// The name of the cookie. Cookies know no ports, so that of each node on a host has a name of its own.
    let cookieName: String
    /// Whose pages may use the API besides the node's own.
    let allowedOrigin: AllowedOrigin?
    private let otherHosts: [String]
    private let tokens: TokenStore
    private let state: Mutex<State>

    private struct State {
        var keys: LoopbackSecrets
        /// Nil before the server listens.
        var port: Int?
    }

    /// Draws the secrets.
    ///
    /// - Parameters:
    ///   - device: The id of the node's device.
    ///   - otherHosts: Names besides those of loopback under which browsers ask for the server.
    ///   - allowedOrigin: Whose pages may use the API besides the node's own.
    ///   - tokens: Those that outlive the node's run.
    init(device: String, otherHosts: [String], allowedOrigin: AllowedOrigin?, tokens: TokenStore) {
        self.allowedOrigin = allowedOrigin
        self.tokens = tokens
        cookieName = "moot-\(device.prefix(12))"
        self.otherHosts = otherHosts
        var random = SystemRandom()
        state = Mutex(State(keys: LoopbackSecrets(using: &random), port: nil))
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
    func makeAddress() -> WebAddressDescription? {
        var random = SystemRandom()
        return state.withLock { state in
            guard let port = state.port else { return nil }
            return WebAddressDescription(
                address: "\(Self.origin(port))/open/" + state.keys.makeAddress(at: .now, using: &random),
                expiresInSeconds: Int(LoopbackSecrets.addressLifetime.components.seconds))
        }
    }

    /// Uses up the secret part of a single-use address, and returns the cookie for it; nil if the address is no good.
    func cookie(for secret: some StringProtocol) -> String? {
        state.withLock { state in
            guard state.keys.useAddress(secret, at: .now) else { return nil }
            // Without an age it goes when the browser does; the node forgets it when it stops.
            return "\(cookieName)=\(state.keys.cookieText); Path=/; HttpOnly; SameSite=Strict"
        }
    }

    /// How far whoever makes a request with these header fields was let in; nil if they were not.
    ///
    /// - Parameters:
    ///   - authorization: The value of `Authorization`, if it is there.
    ///   - cookies: The values of every `Cookie`.
    func admission(authorization: String?, cookies: [String]) -> Admission? {
        if let authorization {
            let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            guard !state.withLock({ $0.keys.opens(token: parts[1]) }) else { return .everything }
            return tokens.admission(of: parts[1])
        }
        return hasCookie(cookies) ? .everything : nil
    }

    private func hasCookie(_ fields: [String]) -> Bool {
        state.withLock { state in
            fields.flatMap { $0.split(separator: ";") }.contains { pair in
                let pair = pair.drop { $0 == " " }
                guard pair.hasPrefix(cookieName + "=") else { return false }
                return state.keys.opens(cookie: pair.dropFirst(cookieName.utf8.count + 1))
            }
        }
    }

    private static func origin(_ port: Int) -> String { "http://127.0.0.1:\(port)" }
}
