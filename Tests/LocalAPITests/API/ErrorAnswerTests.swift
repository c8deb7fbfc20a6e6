import HTTPTypes
import LocalAPIModel
import Node
import NodeCore
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("Errors of the local API")
struct ErrorAnswerTests {
    /// What a client got back: the status and the error's code.
    struct Refusal: Equatable {
        let status: Int
        let code: String

        init(_ status: Int, _ code: String) {
            self.status = status
            self.code = code
        }
    }

    private func refusal(of request: LocalRequest, by alice: Alice) async throws -> Refusal {
        let answer = try await alice.client.exchange(request)
        let error = try WireFormat.decode(ErrorDescription.self, from: answer.body).error
        #expect(!error.message.isEmpty)
        return Refusal(answer.status, error.code)
    }

    private func post(_ body: String, to segments: String...) -> LocalRequest {
        var request = LocalRequest(.post)
        request.target = segments.map { "/" + $0 }.joined()
        request.body = Array(body.utf8)
        return request
    }

    @Test(arguments: [
        LocalRequest(.get, "nowhere"), LocalRequest(.get), LocalRequest(.get, "conversations", "a", "b", "c"),
        LocalRequest(.post, "status", "x"),
    ])
    func `a route that does not exist is 404`(request: LocalRequest) async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await refusal(of: request, by: alice)
            #expect(answer == Refusal(404, "no_such_route"))
        }
    }

    @Test(arguments: [
        LocalRequest(.post, "status"), LocalRequest(.delete, "conversations"), LocalRequest(.put, "events"),
        LocalRequest(.patch, "conversations", "x", "messages"), LocalRequest(.get, "web", "tokens", "x"),
    ])
    func `a method that a route does not have is 405`(request: LocalRequest) async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await refusal(of: request, by: alice)
            #expect(answer == Refusal(405, "method_not_allowed"))
        }
    }

    @Test func `a wrong method is told which ones are right`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let answer = await connection.exchange(
                ["PUT /api/v1/profile HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
                until: "\n}")
            #expect(answer.lowercased().contains("allow: delete, get, head, patch"))
        }
    }

    @Test(arguments: [
        ("{", "The body is not valid JSON"),
        ("[]", "The body must be an object"),
        ("nonsense", "The body is not valid JSON"),
        ("{}", "The field \"kind\" is missing"),
        (#"{"kind":"crowd","members":[]}"#, "The field \"kind\" has a value that does not exist"),
        (#"{"kind":"group","members":"Bob"}"#, "The field \"members\" must be a list"),
        (#"{"kind":"group","members":["Bob",7]}"#, "The field \"members.1\" must be a string"),
        (#"{"kind":"group","members":null}"#, "The field \"members\" must be a list, not null"),
        (
            #"{"kind":"group","members":[],"archived":true}"#,
            "There is no field \"archived\" here; there are: kind, name, members, photo"
        ),
    ])
    func `a body that is not what it should be is explained`(body: String, sentence: String) async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await alice.client.exchange(post(body, to: "conversations"))
            let error = try WireFormat.decode(ErrorDescription.self, from: answer.body).error
            #expect(answer.status == 400)
            #expect(error.code == "invalid_request")
            #expect(error.message == sentence)
        }
    }

    @Test(arguments: [
        #"{"kind":"group","members":[],"kind":"direct"}"#, #"{"kind":"group","members":[],"k\u0069nd":"group"}"#,
    ])
    func `a field that is there twice is refused`(body: String) async throws {
        try await Alice.tells(knowing: []) { alice in
            let answer = try await alice.client.exchange(post(body, to: "conversations"))
            let error = try WireFormat.decode(ErrorDescription.self, from: answer.body).error
            #expect(answer.status == 400)
            #expect(error.code == "invalid_request")
            #expect(error.message == "The field \"kind\" is there twice")
        }
    }

    @Test func `chunks that are none are refused`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let head = "POST /api/v1/conversations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let answer = await connection.exchange([head, "3\r\n{\"k\r\n", "nonsense\r\n"], until: "}}")
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(answer.contains("invalid_request"))
            _ = try await alice.client.status()
        }
    }

    @Test func `a body of bytes that are no text is refused`() async throws {
        try await Alice.tells(knowing: []) { alice in
            var request = post("", to: "conversations")
            request.body = [0xFF, 0xFE, 0x00, 0x7B]
            let answer = try await refusal(of: request, by: alice)
            #expect(answer == Refusal(400, "invalid_request"))
        }
    }

    @Test func `deeply nested JSON is refused and the node lives on`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let nested = String(repeating: "[", count: 200_000)
            #expect(
                try await refusal(of: post(nested, to: "conversations"), by: alice) == Refusal(400, "invalid_request"))
            _ = try await alice.client.status()
        }
    }

    @Test(arguments: [
        "/conversations/x/messages?limit=0", "/conversations/x/messages?limit=1001",
        "/conversations/x/messages?limit=many", "/conversations/x/messages?limit=99999999999999999999",
        "/conversations/x/messages?last=3", "/conversations/x/messages?limit=3&limit=4",
        "/conversations/%FF", "/conversations/%2", "/conversations/x/messages?before=%ZZ", "/events?since=-1",
        "/conversations/x/membership?void=maybe", "/conversations/x/membership?person=Bob",
    ])
    func `a path or a query that makes no sense is 400`(target: String) async throws {
        try await Alice.tells(knowing: []) { alice in
            var request = LocalRequest(.get)
            request.target = target
            let answer = try await refusal(of: request, by: alice)
            #expect(answer == Refusal(400, "invalid_request"))
        }
    }

    @Test func `an announced body that is too large is refused before it is sent`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let answer = await connection.exchange(
                ["POST /api/v1/conversations HTTP/1.1\r\nHost: x\r\nContent-Length: 1048577\r\n\r\n"],
                until: "body_too_large")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func `a body that grows too large is refused`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let head = "POST /api/v1/conversations HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "10000\r\n\(String(repeating: "x", count: 0x10000))\r\n"
            let answer = await connection.exchange(
                [head] + Array(repeating: chunk, count: 16) + ["1\r\nx\r\n"], until: "body_too_large")
            #expect(answer.hasPrefix("HTTP/1.1 413 "))
            _ = try await alice.client.status()
        }
    }

    @Test func `the largest body allowed is read`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let start = #"{"kind":"group","members":[""#
            let filling = String(repeating: "x", count: APIRequest.maximumBodyBytes - start.utf8.count - 3)
            let request = post(start + filling + "\"]}", to: "conversations")
            #expect(request.body.count == APIRequest.maximumBodyBytes)
            let largest = try await alice.client.exchange(request)
            #expect(largest.status != 413)
            let larger = try await alice.client.exchange(post(start + filling + "\"]} ", to: "conversations"))
            #expect(larger.status == 413)
        }
    }

    /// Bytes a confused or hostile program might write.
    enum Nonsense: String, CaseIterable {
        case garbage = "\u{0}\u{1}\u{2}garbage\r\n\r\n"
        case requestWithoutPath = "GET\r\n\r\n"
        case versionOfTheFuture = "GET / HTTP/9.9\r\n\r\n"
        case negativeLength = "POST /api/v1/conversations HTTP/1.1\r\nContent-Length: -1\r\n\r\n"
        case endlessHeader

        var bytes: String {
            switch self {
            case .garbage, .requestWithoutPath, .versionOfTheFuture, .negativeLength: rawValue
            case .endlessHeader:
                "GET /api/v1/status HTTP/1.1\r\nX: \(String(repeating: "x", count: 40_000))\r\n\r\n"
            }
        }
    }

    @Test(arguments: Nonsense.allCases)
    func `what is not HTTP does not disturb the others`(nonsense: Nonsense) async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let answer = await connection.exchange([nonsense.bytes], until: "\r\n\r\n")
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
            _ = try await alice.client.status()
        }
    }

    @Test func `a refusal of the node keeps its code, sentence and status`() async throws {
        try await Alice.tells { alice in
            let unknown = try await refusal(of: LocalRequest(.get, "conversations", "Nowhere"), by: alice)
            #expect(unknown == Refusal(404, "conversation_not_found"))
            let pair = post(#"{"kind":"group","members":["Bob"]}"#, to: "conversations")
            let tooFew = try await refusal(of: pair, by: alice)
            #expect(tooFew == Refusal(422, "too_few_participants"))
            await #expect(throws: LocalClientError.self) {
                try await alice.client.createGroup(name: "Ship", members: ["Bob", "Nobody"])
            }
        }
    }

    @Test(arguments: NodeError.Code.allCases)
    func `every code of the node has a status that says it failed`(code: NodeError.Code) {
        #expect((400...599).contains(code.status.code))
    }

    @Test func `HEAD is answered without a body, and the next request on the connection is not confused`() async throws
    {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let answers = await connection.exchange(
                [
                    "HEAD /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n",
                    "HEAD /api/v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
                    "HEAD /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n",
                    "GET /api/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                ], until: "\"version\"")
            let heads = answers.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.map { $0.prefix(12) }
            #expect(heads == ["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200", "HTTP/1.1 200"])
            #expect(answers.split(separator: "{", omittingEmptySubsequences: false).count == 2)
        }
    }
}
