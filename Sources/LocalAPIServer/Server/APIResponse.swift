import HTTPTypes
import Hummingbird
import LocalAPIModel

/// Builds the responses of the local API.
enum APIResponse {
    /// A value as JSON.
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws(UnreadableJSON) -> Response {
        json(written: try WireFormat.encode(value), status: status)
    }

    /// Something that was made, as JSON, and where it is.
    ///
    /// - Parameter segments: Its path below ``APIPath/prefix``.
    static func created(_ value: some Encodable, at segments: String...) throws(UnreadableJSON) -> Response {
        var response = try json(value, status: .created)
        response.headers[.location] = APIPath.prefix + segments.map { "/" + PercentEncoding.encode($0) }.joined()
        return response
    }

    /// JSON that was written already.
    static func json(written bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        var body = ByteBuffer(bytes: bytes)
        body.writeInteger(UInt8(ascii: "\n"))
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: body))
    }

    /// An error in the shape all errors have.
    static func error(
        _ detail: ErrorDescription.Detail, status: HTTPResponse.Status, headers: HTTPFields = [:]
    ) -> Response {
        // Three strings always have a JSON form; a status without a body is still an answer.
        guard var response = try? json(ErrorDescription(detail), status: status) else {
            return Response(status: status)
        }
        for field in headers { response.headers.append(field) }
        return response
    }
}
