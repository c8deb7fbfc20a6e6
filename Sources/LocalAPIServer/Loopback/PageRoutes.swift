import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Where a browser finds the page: the document at the root, and its files below the digest that names their version.
enum PageRoutes {
    /// Below it are the files.
    static let prefix = "/page/"

    /// What the page may do: run its own scripts, show its own styles and the node's pictures, and ask the node. It makes no markup of
    /// text (Trusted Types), so that nothing that people wrote can become a script.
    static let contentSecurityPolicy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "form-action 'none'",
        "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")

    /// What the page does not use, and so nothing on it can.
    static let permissionsPolicy = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()"

    /// Adds the routes for `GET` and `HEAD`.
    static func add(to router: Router<LoopbackContext>, files: PageFiles = .embedded) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/", method: method) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: files.index)))
            }
            router.on(RouterPath(prefix + "{digest}/{name}"), method: method) { request, context in
                guard let digest = context.parameters.get("digest"), let name = context.parameters.get("name"),
                    let file = files.file(named: name, of: digest)
                else { throw HTTPError(.notFound) }
                return answer(file, to: request)
            }
        }
    }

    private static func answer(_ file: PageFiles.File, to request: Request) -> Response {
        // The address changes with the content, so a browser need not ask again. It is not for caches that others share.
        let headers: HTTPFields = [
            .cacheControl: "private, max-age=31536000, immutable", .eTag: file.tag.description,
        ]
        guard !file.tag.isAmong(request.headers[values: .ifNoneMatch]) else {
            return Response(status: .notModified, headers: headers)
        }
        var response = Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
        response.headers[.contentType] = file.mediaType
        return response
    }
}
