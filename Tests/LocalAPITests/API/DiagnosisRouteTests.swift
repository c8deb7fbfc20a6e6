import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The doctor by the API")
struct DiagnosisRouteTests {
    private static func ask(_ alice: Alice) async throws -> (status: Int, body: String) {
        var request = LocalRequest(.post, "diagnosis")
        request.body = []
        let answer = try await alice.client.exchange(request)
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @Test func `tells what it found, and looks once at a time`() async throws {
        try await Alice.tells { alice in
            async let first = Self.ask(alice)
            async let second = Self.ask(alice)
            let answers = try await [first, second].sorted { $0.status < $1.status }
            #expect(answers.map(\.status) == [200, 409], "\(answers)")
            #expect(answers[0].body.contains("sudo ufw allow 47470/tcp"))
            #expect(answers[1].body.contains("diagnosis_under_way"))
            // The turn is over with the look.
            #expect(try await Self.ask(alice).status == 200)
        }
    }

    @Test func `a server that shuts down does not wait for what peers answer`() async throws {
        try await Alice.tells(knowing: ["Bob"]) { alice in
            let direct = try await alice.node.openDirect(with: "Bob").id
            _ = try await alice.node.send(["Hello"], to: direct)
            // Bob took no part in it, so his node says nothing for five seconds.
            async let told = alice.client.askReachability(of: "Bob")
            try await Task.sleep(for: .milliseconds(500))
            let start = ContinuousClock.now
            await alice.stopServing()
            #expect(try await told.nodes.map(\.answer) == [nil])
            #expect(start.duration(to: .now) < .seconds(3))
        }
    }
}
