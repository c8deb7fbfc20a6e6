import Foundation
import LocalAPIModel
import Node
import Testing

@testable import LocalAPIServer

@Suite("Methods of the local API")
struct MethodTests {
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

    /// The paths of the description, each with the methods that it lists.
    private func paths() throws -> [String: Set<String>] {
        let json = try JSONSerialization.jsonObject(with: Data(APIDescription.bytes))
        let described = try #require((json as? [String: Any])?["paths"] as? [String: [String: Any]])
        return described.mapValues { Set($0.keys.map { $0.uppercased() }) }
    }

    /// What a node answers: the number of the status, and the methods it allows.
    private func answer(
        to method: String, _ path: String, by alice: Alice
    ) async throws -> (status: String, allowed: String?) {
        let connection = try RawConnection(to: alice.node.socketPath)
        let head = "\(method) \(APIPath.prefix)\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = await connection.exchange([head], until: "\r\n\r\n")
        let status = try #require(answer.firstMatch(of: #/^HTTP/1\.1 (\d{3}) /#), "\(method) \(path): \(answer)")
        let allowed = answer.firstMatch(of: /(?i)\r\nallow: ([^\r]*)\r\n/)
        return (String(status.1), allowed.map { String($0.1) })
    }

    @Test func `every path is told with the methods it has where it is asked with another`() async throws {
        let paths = try paths()
        try #require(paths.count > 40, "\(paths.count) paths: does this test look in the right place?")
        try await Alice.tells(knowing: []) { alice in
            for (path, listed) in paths {
                let place = path.replacing(/\{\w+\}/, with: "x")
                let right = listed.union(listed.contains("GET") ? ["HEAD"] : []).sorted().joined(separator: ", ")
                for method in Self.methods where !listed.contains(method) {
                    let answer = try await answer(to: method, place, by: alice)
                    #expect(answer.status == "405", "\(method) \(path)")
                    #expect(answer.allowed == right, "\(method) \(path)")
                }
            }
        }
    }

    @Test(arguments: ["OPTIONS", "TRACE"])
    func `so is one that nothing here has`(method: String) async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await answer(to: method, "/web/tokens/x", by: alice)
            #expect(answer.status == "405")
            #expect(answer.allowed == "DELETE")
        }
    }
}
