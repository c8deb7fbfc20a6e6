import Foundation
import Testing

/// A node's interface asked over its Unix socket without a process for each question, for stories that ask thousands.
struct LocalConnection: Sendable {
    /// The node was gone before it answered, or it refused.
    struct NoAnswer: Error, CustomStringConvertible {
        let description: String
    }

    /// The node's home.
    let home: String

    /// Reads what is at a place of the interface.
    ///
    /// - Throws: ``NoAnswer`` unless the node reported success.
    func ask<Answer: Decodable>(_ target: String, as type: Answer.Type = Answer.self) throws -> Answer {
        try read(try exchange(try request("GET", target, nil)), of: "GET \(target)")
    }

    /// Reads what is at a place of the interface, and lets other tests have the thread meanwhile.
    ///
    /// - Throws: ``NoAnswer`` unless the node reported success.
    func look<Answer: Decodable>(at target: String, as type: Answer.Type = Answer.self) async throws -> Answer {
        let request = try request("GET", target, nil)
        let answer = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try exchange(request) }) }
        }
        return try read(answer, of: "GET \(target)")
    }

    /// Has the node do something, and reads its answer.
    ///
    /// - Throws: ``NoAnswer`` unless the node reported success.
    func tell<Answer: Decodable>(
        _ method: String, _ target: String, _ body: [String: any Sendable], as type: Answer.Type = Answer.self
    ) throws -> Answer {
        try read(try exchange(try request(method, target, body)), of: "\(method) \(target)")
    }

    private func read<Answer: Decodable>(_ answer: Data, of what: String) throws -> Answer {
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)) else {
            throw NoAnswer(description: "\(what): no answer")
        }
        let status = String(decoding: answer.prefix(12).suffix(3), as: UTF8.self)
        guard status.hasPrefix("2") else {
            throw NoAnswer(description: "\(what): \(String(decoding: answer, as: UTF8.self))")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Answer.self, from: answer[end.upperBound...])
    }

    private func request(_ method: String, _ target: String, _ body: [String: any Sendable]?) throws -> Data {
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        var head = "\(method) /api/v1\(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if body != nil { head += "Content-Type: application/json\r\nContent-Length: \(content.count)\r\n" }
        return Data((head + "\r\n").utf8) + content
    }

    /// Sends everything and reads until the node hangs up.
    private func exchange(_ request: Data) throws -> Data {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("\(home)/moot.sock".utf8)
        try #require(path.count < MemoryLayout.size(ofValue: address.sun_path), "the path of the socket is too long")
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw NoAnswer(description: "nobody listens on the socket") }

        var rest = request[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw NoAnswer(description: "the node took no more of the question") }
            rest = rest.dropFirst(count)
        }
        var answer = Data()
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return answer }
            answer.append(contentsOf: piece.prefix(count))
        }
    }
}
