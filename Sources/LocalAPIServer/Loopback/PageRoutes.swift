import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Where a browser finds the page: the document at the root, and its files below a path of this run.
enum PageRoutes {
    /// Below it are the files.
    static let prefix = PageFiles.prefix

    /// What the page may do: run its own scripts, show its own styles and the node's pictures, and ask the node. It
    /// makes no markup of text (Trusted Types), so that nothing that people wrote can become a script. Nor does it
    /// leave a worker behind, which would outlive it.
    static let contentSecurityPolicy = policy(scripts: "'self'")

    private static func policy(scripts: String) -> String {
        [
            "default-src 'none'", "script-src \(scripts)", "worker-src 'none'", "style-src 'self'",
            "img-src 'self' blob:",
            "media-src 'self' blob:", "connect-src 'self'", "manifest-src 'self'", "form-action 'none'",
            "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// What the page does not use, and so nothing on it can.
    static let permissionsPolicy = "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()"

    /// Adds the routes for `GET` and `HEAD`.
    static func add(to router: Router<LoopbackContext>, files: PageFiles) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("/", method: method) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: "text/html; charset=utf-8",
                        .contentSecurityPolicy: policy(scripts: "'self' \(files.inlineScript)"),
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: files.index)))
            }
            router.on(RouterPath(prefix + "{path}/{name}"), method: method) { request, context in
                guard let path = context.parameters.get("path"), let name = context.parameters.get("name"),
                    let file = files.file(named: name, below: path)
                else { throw HTTPError(.notFound) }
                return answer(file, to: request)
            }
        }
    }

    private static func answer(_ file: PageFiles.File, to request: Request) -> Response {
        // The address changes with each run, so a browser need not ask again. It is not for caches that others share.
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
