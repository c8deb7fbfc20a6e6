import Cryptography
import HTTPTypes
import Hummingbird
import LocalAPIModel
import Node
import NodeCore

/// One thing a client can ask for: a method, a path, and how the node answers.
struct Route: Sendable {
    /// Who may ask.
    enum Asker: Sendable {
        /// Who is admitted: also a program with a token that may write, where something is changed.
        case anyone
        /// The user: on the Unix socket, or on the page of a browser that they let in. Revoking a program's token
        /// undoes nothing that the program did.
        case user
        /// The user, who also says the passphrase where one guards the keys. The root signs what is asked, and nothing
        /// undoes that.
        case owner
    }

    let method: HTTPRequest.Method
    /// The path below ``APIPath/prefix``, with `{name}` for a segment that varies.
    let path: String
    /// The query parameters it knows.
    let parameters: [String]
    /// The fields of the body it reads, if it reads one.
    let body: (any RequestFields.Type)?
    /// Whether it reads a body of bytes, whatever they are.
    let takesBytes: Bool
    let asker: Asker
    let answer: @Sendable (APIRequest, Node) async throws -> Response

    /// Something asked without a body, or with one of bytes.
    init(
        _ method: HTTPRequest.Method, _ path: String, parameters: [String] = [], takingBytes: Bool = false,
        by asker: Asker = .anyone,
        answer: @escaping @Sendable (APIRequest, Node) async throws -> Response
    ) {
        takesBytes = takingBytes
        self.asker = asker
        self.method = method
        self.path = path
        self.parameters = parameters
        body = nil
        self.answer = answer
    }

    /// Something asked with a body of the given fields and no others.
    init<Body: RequestFields>(
        _ method: HTTPRequest.Method, _ path: String, parameters: [String] = [], taking: Body.Type,
        by asker: Asker = .anyone,
        answer: @escaping @Sendable (APIRequest, Body, Node) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        body = taking
        takesBytes = false
        self.asker = asker
        self.answer = { request, node in try await answer(request, request.body(taking), node) }
    }

    /// Something that the owner of the identity asks for, with the passphrase in its body.
    init<Body: OwnersRequest>(
        _ method: HTTPRequest.Method, _ path: String, byOwnerWith body: Body.Type,
        answer: @escaping @Sendable (APIRequest, Body, Passphrase?, Node) async throws -> Response
    ) {
        self.init(method, path, taking: body, by: .owner) { request, body, node in
            try await answer(request, body, try Self.passphrase(body.passphrase), node)
        }
    }

    private static func passphrase(_ text: String?) throws(NodeError) -> Passphrase? {
        guard let text else { return nil }
        guard let passphrase = Passphrase(text) else {
            throw NodeError(
                .invalidRequest, "A passphrase is one line of 1 to \(Passphrase.maximumBytes) bytes")
        }
        return passphrase
    }

    /// Everything the local API offers.
    static let all =
        node + diagnosis + web + sessions + tokens + people + profile + devices + conversations + preferences + members
        + invites + messages + annotations
        + emoji + files + typing + search + membership + events + description
}

extension Route {
    /// Gives every route its place in a router; other methods on a known path are answered with those allowed.
    static func add<Context: RequestContext>(
        to router: Router<Context>, for node: Node, state: ServerState, arrival: APIRequest.Arrival
    ) {
        for (path, routes) in Dictionary(grouping: all, by: \.path) {
            let place = RouterPath(APIPath.prefix + path)
            for route in routes {
                // Whoever answers GET answers HEAD too; the body is taken away at the end.
                for method in route.method == .get ? [.get, .head] : [route.method] {
                    router.on(place, method: method) { httpRequest, context in
                        let request = try APIRequest(
                            httpRequest, segments: context.parameters, known: route.parameters, state: state,
                            arrival: arrival)
                        guard route.asker == .anyone || request.isByUser else { throw RequestRefusal.userOnly }
                        return try await route.answer(request, node)
                    }
                }
            }
            let methods = routes.map(\.method.rawValue)
            let allowed = (methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
            for method in commonMethods where !allowed.contains(method.rawValue) {
                router.on(place, method: method) { _, _ -> Response in
                    throw RequestRefusal.methodNotAllowed(allowed: allowed)
                }
            }
        }
    }

    private static let commonMethods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}
