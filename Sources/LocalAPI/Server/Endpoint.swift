import HTTPTypes
import Hummingbird
import Node

/// One thing a client can ask for: a method, a path, and how the node answers.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// The path below ``LocalServer/prefix``, with `{name}` for a segment that varies.
    let path: String
    /// The query parameters it knows.
    let parameters: [String]
    /// The fields of the body it reads, if it reads one.
    let body: (any RequestFields.Type)?
    /// Whether it reads a body of bytes, whatever they are.
    let takesBytes: Bool
    let answer: @Sendable (APIRequest, Node) async throws -> Response

    /// Something asked without a body, or with one of bytes.
    init(
        _ method: HTTPRequest.Method, _ path: String, parameters: [String] = [], takingBytes: Bool = false,
        answer: @escaping @Sendable (APIRequest, Node) async throws -> Response
    ) {
        takesBytes = takingBytes
        self.method = method
        self.path = path
        self.parameters = parameters
        body = nil
        self.answer = answer
    }

    /// Something asked with a body of the given fields and no others.
    init<Body: RequestFields>(
        _ method: HTTPRequest.Method, _ path: String, parameters: [String] = [], taking: Body.Type,
        answer: @escaping @Sendable (APIRequest, Body, Node) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        body = taking
        takesBytes = false
        self.answer = { asked, node in try await answer(asked, asked.body(taking), node) }
    }

    /// Everything the local API offers.
    static let all =
        node + web + people + profile + conversations + preferences + members + invites + messages + annotations
        + files + typing + search + membership + events + description
}

extension Endpoint {
    /// Gives every endpoint its place in a router; other methods on a known path are answered with those allowed.
    static func add<Context: RequestContext>(
        to router: Router<Context>, for node: Node, state: ServerState, arrival: APIRequest.Arrival
    ) {
        for (path, endpoints) in Dictionary(grouping: all, by: \.path) {
            let place = RouterPath(LocalServer.prefix + path)
            for endpoint in endpoints {
                // Whoever answers GET answers HEAD too; the body is taken away at the end.
                for method in endpoint.method == .get ? [.get, .head] : [endpoint.method] {
                    router.on(place, method: method) { request, context in
                        let asked = try APIRequest(
                            request, segments: context.parameters, known: endpoint.parameters, state: state,
                            arrival: arrival)
                        return try await endpoint.answer(asked, node)
                    }
                }
            }
            let methods = endpoints.map(\.method.rawValue)
            let allowed = (methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
            for method in commonMethods where !allowed.contains(method.rawValue) {
                router.on(place, method: method) { _, _ -> Response in
                    throw RequestRefusal.methodNotAllowed(allowed: allowed)
                }
            }
        }
    }

    private static let commonMethods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
}
