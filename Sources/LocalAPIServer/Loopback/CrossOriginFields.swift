import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Lets the pages of one origin read what the API answers them (Fetch Standard, section 3.3), and nobody else.
struct CrossOriginFields<Context: RequestContext>: RouterMiddleware {
    let allowed: AllowedOrigin

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        // A browser must not give one page the answer that it keeps for another.
        response.headers[.vary] = "Origin"
        guard request.isMade(by: allowed) else { return response }
        response.headers[.accessControlAllowOrigin] = allowed.description
        response.headers[.accessControlAllowCredentials] = "true"
        response.headers[.accessControlExposeHeaders] =
            "Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, Location"
        return response
    }
}

extension Request {
    /// Whether a page of an origin asks the API, as a browser says; of two origins neither is believed.
    func isMade(by origin: AllowedOrigin?) -> Bool {
        guard let origin, uri.path.hasPrefix(APIPath.prefix + "/") else { return false }
        return headers[values: .origin] == [origin.description]
    }

    /// Whether a browser asks beforehand what a page of another origin may ask.
    var isPreflight: Bool { method == .options && headers[.accessControlRequestMethod] != nil }
}

extension Response {
    /// What a browser is told that asks beforehand.
    static var preflight: Response {
        Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: "GET, HEAD, POST, PUT, PATCH, DELETE",
                .accessControlAllowHeaders:
                    "Authorization, Content-Type, If-None-Match, If-Range, Last-Event-ID, Moot-Key, Range",
                .accessControlMaxAge: "600",
            ])
    }
}
