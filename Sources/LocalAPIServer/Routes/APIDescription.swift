import COpenAPI
import LocalAPIModel

/// The API described by itself: OpenAPI 3.1.
enum APIDescription {
    /// The bytes of `openapi.json`, which are in the program.
    static var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: moot_openapi(), count: moot_openapi_count())
    }
}
