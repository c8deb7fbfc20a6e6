import HTTPTypes

/// A request refused before it reached the node.
enum RequestRefusal: Error, Hashable {
    case noSuchRoute(path: String)
    case methodNotAllowed(allowed: [String])
    case bodyTooLarge(limit: Int)
    /// The body, a query parameter or the path is not what the route takes.
    case invalid(String)

    var status: HTTPResponse.Status {
        switch self {
        case .noSuchRoute: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .bodyTooLarge: .contentTooLarge
        case .invalid: .badRequest
        }
    }

    var detail: ErrorDescription.Detail {
        switch self {
        case .noSuchRoute(let path):
            .init(
                code: "no_such_route", message: "There is nothing at \(path.prefix(128))",
                hint: "All routes begin with \(LocalServer.prefix)")
        case .methodNotAllowed(let allowed):
            .init(
                code: "method_not_allowed", message: "This method is not allowed here",
                hint: "Allowed: \(allowed.joined(separator: ", "))")
        case .bodyTooLarge(let limit):
            .init(
                code: "body_too_large", message: "The body is larger than \(limit) bytes",
                hint: "Send it in several requests")
        case .invalid(let sentence):
            .init(code: "invalid_request", message: sentence)
        }
    }
}
