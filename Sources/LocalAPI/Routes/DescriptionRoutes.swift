import HTTPTypes
import Hummingbird

extension Endpoint {
    /// The API described by itself.
    static let description = [
        Endpoint(.get, "/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: APIDescription.bytes)))
        }
    ]
}
