import LocalAPIModel
import Node

@testable import LocalAPIClient

extension LocalClient {
    /// Puts bytes in as a file.
    func upload(_ bytes: [UInt8], named name: String, mediaType: String) async throws -> FileDescription {
        var rest = bytes
        return try await upload(named: name, mediaType: mediaType, length: bytes.count) {
            defer { rest = [] }
            return rest
        }
    }
}
