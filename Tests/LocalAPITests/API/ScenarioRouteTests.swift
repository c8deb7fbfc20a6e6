import Foundation
import Testing

@testable import LocalAPIClient
@testable import LocalAPIModel

@Suite("The local API about made-up lanes of membership")
struct ScenarioRouteTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures")

    private func resolve(_ scenario: String, with client: LocalClient) async throws -> (status: Int, answer: Data) {
        var request = LocalRequest(.post, "membership", "resolve")
        request.body = try WireFormat.encode(["scenario": scenario])
        let answer = try await client.exchange(request)
        return (answer.status, Data(answer.body))
    }

    @Test func `answers every case of the suite as the suite says, in whatever order its operations are`() async throws
    {
        let lines = try ["membership", "membership-content"].flatMap { name in
            try String(contentsOf: Self.fixtures.appending(path: "\(name).ndjson"), encoding: .utf8).split(
                separator: "\n")
        }
        try await Alice.tells { alice in
            var random = SplitMix64(state: 1)
            for line in lines {
                var scenario = try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                let operations = try #require(scenario["ops"] as? [Any])
                scenario["ops"] = operations.shuffled(using: &random)
                let shuffled = String(decoding: try JSONSerialization.data(withJSONObject: scenario), as: UTF8.self)
                let (status, bytes) = try await resolve(shuffled, with: alice.client)
                try #require(status == 200, "\(line)")
                let answer = try WireFormat.decode(ScenarioAnswer.self, from: Array(bytes))
                let expected = try #require(scenario["expect"] as? [String: Any])
                let members = Dictionary(uniqueKeysWithValues: answer.members.map { ($0.person, $0.role) })
                #expect(members == expected["members"] as? [String: String], "\(line)")
                #expect(answer.void.map(\.id) == expected["void"] as? [String], "\(line)")
                #expect(answer.actingAdmin == expected["acting"] as? String, "\(line)")
                let content = answer.content.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.id, $0.result) }) }
                #expect(content == expected["content"] as? [String: String], "\(line)")
                #expect(
                    answer.content?.allSatisfy { ($0.sentence == nil) == ["moderator", "member"].contains($0.result) }
                        ?? true)
            }
        }
    }

    @Test func `says what is wrong with a line, and takes no more operations than it says`() async throws {
        try await Alice.tells { alice in
            let malformed = try await resolve("{}", with: alice.client)
            #expect(malformed.status == 400)
            #expect(String(decoding: malformed.answer, as: UTF8.self).contains("the field ops is missing"))
            for (count, status) in [
                (APILimits.maximumScenarioOperations, 200), (APILimits.maximumScenarioOperations + 1, 400),
            ] {
                let later = (1..<count).map { #"{"id":"\#($0)","author":"A","type":"merge","parents":["\#($0 - 1)"]}"# }
                let first = #"{"id":"0","author":"A","type":"create","parents":[]}"#
                let line = #"{"ops":[\#(([first] + later).joined(separator: ","))]}"#
                #expect(try await resolve(line, with: alice.client).status == status)
            }
        }
    }
}
