import LocalAPIModel
import NIOHTTP1

/// One request to the local API before it is written.
struct LocalRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case put = "PUT"
        case delete = "DELETE"
    }

    var method: Method
    /// Path and query below ``APIPath/prefix``.
    var target: String
    var body: [UInt8]
    /// Header fields for a body that is sent piece by piece.
    var fields: [(name: String, value: String)] = []

    init(_ method: Method, _ segments: String..., query: [(name: String, value: String?)] = []) {
        self.method = method
        // An empty name would name another resource. No name has a NUL, so this one is found nowhere.
        target = segments.map { "/" + PercentEncoding.encode($0.isEmpty ? "\0" : $0) }.joined()
        let given = query.compactMap { item in item.value.map { "\(item.name)=\(PercentEncoding.encode($0))" } }
        if !given.isEmpty { target += "?" + given.joined(separator: "&") }
        body = []
    }

    /// The same request with a body.
    func with(_ fields: some RequestFields) throws(LocalClientError) -> LocalRequest {
        var request = self
        do {
            request.body = try WireFormat.encode(fields)
        } catch {
            throw .unreadable(error.sentence)
        }
        return request
    }

    var head: HTTPRequestHead {
        var headers: HTTPHeaders = ["host": "localhost"]
        if !body.isEmpty {
            headers.add(name: "content-type", value: "application/json")
            headers.add(name: "content-length", value: String(body.count))
        }
        for field in fields { headers.add(name: field.name, value: field.value) }
        return HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: APIPath.prefix + target,
            headers: headers)
    }
}
