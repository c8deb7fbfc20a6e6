import HTTPTypes
import Hummingbird
import LocalAPIModel
import NIOCore
import NIOHTTP1

/// What a client asked for: the request with its path, query and body read strictly.
struct APIRequest: Sendable {
    /// The largest body taken.
    static let maximumBodyBytes = 1 << 20

    /// The way a request came.
    enum Arrival {
        /// The Unix socket, which only the user can open.
        case socket
        /// A port of 127.0.0.1, where a browser may be told what to ask by a page.
        case loopback
    }

    let httpRequest: Request
    let arrival: Arrival
    let state: ServerState
    private let segments: Parameters
    private let query: [String: String]

    /// Reads path and query.
    ///
    /// - Parameter known: The query parameters of the route; any other is refused.
    init(
        _ httpRequest: Request, segments: Parameters, known: [String], state: ServerState, arrival: Arrival
    ) throws(RequestRefusal) {
        self.httpRequest = httpRequest
        self.arrival = arrival
        self.state = state
        self.segments = segments
        var query: [String: String] = [:]
        for part in (httpRequest.uri.query ?? "").split(separator: "&") {
            let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(pieces[0])
            guard known.contains(name) else {
                let list = known.isEmpty ? "none" : known.joined(separator: ", ")
                throw .invalid("There is no query parameter \"\(name.prefix(64))\" here; there are: \(list)")
            }
            guard let value = PercentEncoding.decode(pieces.count > 1 ? pieces[1] : ""), query[name] == nil else {
                throw .invalid("The query parameter \"\(name)\" cannot be read")
            }
            guard !value.isEmpty else {
                throw .invalid("The query parameter \"\(name)\" is empty: give it a value, or leave it away")
            }
            query[name] = value
        }
        self.query = query
    }

    /// Whether the user asks: on the socket, or on the page of a browser that they let in.
    var isByUser: Bool { arrival == .socket || state.loopback?.session(of: httpRequest) != nil }

    /// A named segment of the path.
    func segment(_ name: String) throws(RequestRefusal) -> String {
        guard let text = segments.get(name).flatMap(PercentEncoding.decode), !text.isEmpty else {
            throw .invalid("The path cannot be read")
        }
        return text
    }

    /// A query parameter, or nil where it is absent.
    func parameter(_ name: String) -> String? {
        query[name]
    }

    /// The path and query of the same request with another value of a parameter.
    func target(with name: String, as value: String) -> String {
        let pairs = query.merging([name: value]) { $1 }.sorted { $0.key < $1.key }
        return httpRequest.uri.path + "?"
            + pairs.map { "\($0.key)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// A query parameter that is true or false; absent means false.
    func flag(_ name: String) throws(RequestRefusal) -> Bool {
        switch query[name] {
        case nil, "false", "0": return false
        case "true", "1": return true
        case .some: throw .invalid("The query parameter \"\(name)\" must be true or false")
        }
    }

    /// A query parameter that is a whole number within bounds.
    func number<Number: FixedWidthInteger>(
        _ name: String, within bounds: ClosedRange<Number>
    ) throws(RequestRefusal) -> Number? {
        guard let text = query[name] else { return nil }
        guard let number = Number(text), bounds.contains(number) else {
            throw .invalid(
                "The query parameter \"\(name)\" must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
            )
        }
        return number
    }

    /// The body, at most ``maximumBodyBytes`` bytes of it, read as the given fields and no others.
    func body<Body: RequestFields>(_ type: Body.Type) async throws -> Body {
        // Whoever announces too much is refused before the first byte is read.
        if let announced = httpRequest.headers[.contentLength].flatMap({ Int($0) }), announced > Self.maximumBodyBytes {
            throw RequestRefusal.bodyTooLarge(limit: Self.maximumBodyBytes)
        }
        var collected: [UInt8] = []
        do {
            for try await part in httpRequest.body {
                guard collected.count + part.readableBytes <= Self.maximumBodyBytes else {
                    throw RequestRefusal.bodyTooLarge(limit: Self.maximumBodyBytes)
                }
                collected += part.readableBytesView
            }
        } catch is HTTPParserError {
            throw RequestRefusal.brokenBody
        }
        // A body with all its fields optional may be left away.
        return try WireFormat.decodeRequest(type, from: collected.isEmpty ? Array("{}".utf8) : collected)
    }
}
