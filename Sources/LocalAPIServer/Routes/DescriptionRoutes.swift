import HTTPTypes
import Hummingbird
import LocalAPIModel

extension Route {
    /// The API described by itself.
    static let description = [
        Route(.get, "/openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: APIDescription.bytes)))
        }
    ]
}
