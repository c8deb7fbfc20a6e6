import HTTPTypes
import LocalAPIModel

/// A request refused before it reached the node.
enum RequestRefusal: Error, Hashable {
    case noSuchRoute(path: String)
    case methodNotAllowed(allowed: [String])
    case bodyTooLarge(limit: Int)
    /// The body does not come in the chunks that HTTP describes, so where the request ends is unknown.
    case brokenBody
    /// On loopback: the request asks for a host that is none of the node's names.
    case wrongHost
    /// On loopback: a page that is not the node's own made the request.
    case foreignOrigin
    /// On loopback: whose process made the connection cannot be found out.
    case ownerUnknown(String)
    /// On loopback: neither the cookie nor the token.
    case notAdmitted
    /// On loopback: a token that can only look.
    case readOnlyToken
    /// On loopback: a single-use address that was followed before, or is too old, or never was.
    case addressUsed
    /// The node is not served on loopback.
    case noWeb
    /// Something that only the Unix socket gives.
    case socketOnly
    /// On loopback: something that a program with a token may not do.
    case userOnly
    /// On loopback: a browser asks for the script of a service worker, which the node has none of.
    case workerRefused
    /// On loopback: to hand over the key of the user's identity.
    case rootOnSocketOnly
    case tooManyStreams(limit: Int)
    /// On loopback: no browser asks that was let in, but another program.
    case noSession
    /// On loopback: the session was told its key before.
    case keyClaimed
    case noSuchSession(String)
    case noSuchToken(String)
    case tokenExists(String)
    case tooManyTokens(limit: Int)
    /// Somebody else has faults looked for.
    case diagnosisUnderWay
    /// A form in the place of a file.
    case formRefused
    /// The range begins behind the end of the file.
    case rangeBeyondEnd(length: Int)
    /// The body, a query parameter or the path is not what the route takes.
    case invalid(String)

    var status: HTTPResponse.Status {
        switch self {
        case .noSuchRoute, .noSuchToken, .noSuchSession, .workerRefused: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .invalid, .brokenBody: .badRequest
        case .wrongHost: .misdirectedRequest
        case .foreignOrigin, .ownerUnknown, .addressUsed, .socketOnly, .userOnly, .rootOnSocketOnly,
            .readOnlyToken:
            .forbidden
        case .notAdmitted: .unauthorized
        case .noWeb, .tokenExists, .tooManyTokens, .noSession, .keyClaimed,
            .diagnosisUnderWay:
            .conflict
        case .tooManyStreams: .serviceUnavailable
        case .formRefused: .unsupportedMediaType
        case .rangeBeyondEnd: .rangeNotSatisfiable
        }
    }

    var detail: ErrorDescription.Detail {
        switch self {
        case .noSuchRoute(let path):
            .init(
                code: "no_such_route", message: "There is nothing at \(path.prefix(128))",
                hint: "All routes begin with \(APIPath.prefix)")
        case .methodNotAllowed(let allowed):
            .init(
                code: "method_not_allowed", message: "This method is not allowed here",
                hint: "Allowed: \(allowed.joined(separator: ", "))")
        case .bodyTooLarge(let limit):
            .init(
                code: "body_too_large", message: "The body is larger than \(limit) bytes",
                hint: "Send it in several requests")
        case .brokenBody:
            .init(code: "invalid_request", message: "The body cannot be read: its chunks are not those of HTTP")
        case .wrongHost:
            .init(
                code: "wrong_host", message: "This node does not answer under that host",
                hint:
                    "In a browser, follow the address that this prints: moot open\nA program with a token asks for 127.0.0.1 with the port of the node, or for a name of: moot up --web-host"
            )
        case .foreignOrigin:
            .init(
                code: "foreign_origin", message: "Only the node's own pages may ask it from a browser",
                hint:
                    "If you followed a link, copy its address to where you type addresses. For a page of your own under development: moot up --allow-origin"
            )
        case .ownerUnknown(let reason):
            .init(
                code: "permission_denied",
                message: "Whose program is asking cannot be found out, so the node does not answer: \(reason)",
                hint: "Let the node open sockets of AF_NETLINK, or use its Unix socket")
        case .notAdmitted:
            .init(
                code: "not_admitted", message: "You have not been let in",
                hint:
                    "In a browser, follow the address that this prints: moot open\nFor a program: moot open --token, or for one that stays: moot token create"
            )
        case .readOnlyToken:
            .init(
                code: "read_only_token", message: "This token can only look",
                hint: "For one that can do everything: moot token create --name NAME")
        case .noSession:
            .init(
                code: "no_session", message: "Only the page in a browser that was let in has a key",
                hint: "A program uses a token: moot token create")
        case .keyClaimed:
            .init(
                code: "key_claimed", message: "This browser was told its key before",
                hint: "If the page has lost it, let the browser in anew with: moot open")
        case .diagnosisUnderWay:
            .init(
                code: "diagnosis_under_way", message: "The doctor is looking at this host already",
                hint: "Ask again in some seconds.")
        case .noSuchSession(let id):
            .init(
                code: "session_not_found", message: "No browser is let in as \"\(id.prefix(64))\"",
                hint: "'moot open --sessions' shows all.")
        case .noSuchToken(let name):
            .init(
                code: "token_not_found", message: "There is no token \"\(name.prefix(64))\"",
                hint: "'moot token list' shows all.")
        case .tokenExists(let name):
            .init(
                code: "token_exists", message: "There is a token \"\(name)\" already",
                hint: "Choose another name, or end that one: moot token revoke \(name)")
        case .tooManyTokens(let limit):
            .init(
                code: "too_many_tokens", message: "There are \(limit) tokens, and no more can be made",
                hint: "End one that nobody uses: moot token revoke NAME")
        case .addressUsed:
            .init(
                code: "address_used", message: "This address works once and for a minute, and it is over",
                hint: "For a new one: moot open")
        case .noWeb:
            .init(
                code: "no_web", message: "The node is not served to browsers",
                hint: "Start it again with: moot up --web 0")
        case .socketOnly:
            .init(
                code: "socket_only", message: "This is given through the node's Unix socket only",
                hint: "In a terminal: moot open")
        case .userOnly:
            .init(
                code: "user_only", message: "A program with a token may not do this",
                hint: "Do it yourself: on the page, or in a terminal")
        case .workerRefused:
            .init(code: "no_such_route", message: "The page has no service worker")
        case .rootOnSocketOnly:
            .init(
                code: "socket_only",
                message: "The key of your identity is handed over through the node's Unix socket only",
                hint: "In a terminal: moot devices add CODE --with-root")
        case .tooManyStreams(let limit):
            .init(
                code: "too_many_streams", message: "\(limit) event streams are open, and no more are served",
                hint: "End some, then try again")
        case .formRefused:
            .init(
                code: "unsupported_media_type", message: "A file is not taken as a form",
                hint:
                    "Send its bytes as the body, with its own type. In a browser: fetch(url, {method: \"POST\", body: file}). With curl: --data-binary @FILE"
            )
        case .rangeBeyondEnd(let length):
            .init(
                code: "range_not_satisfiable", message: "The range begins behind the end of the file",
                hint: "The file has \(length) bytes")
        case .invalid(let sentence):
            .init(code: "invalid_request", message: sentence)
        }
    }
}
