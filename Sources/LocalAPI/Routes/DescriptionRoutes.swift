import HTTPTypes
import Hummingbird

extension Endpoint {
    /// The API described by itself: OpenAPI 3.1.
    ///
    /// The document is `openapi.json` of this target, which the build puts into the program: a node needs no file beside it, and the
    /// document cannot be of another version.
    static let description = [
        Endpoint(.get, "/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
        }
    ]
}
