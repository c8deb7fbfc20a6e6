import Conversations
import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The local API about emoji")
struct EmojiRouteTests {
    @Test func `names more than a thousand, each of which can be a reaction, once`() {
        let all = EmojiNames.all
        #expect(all.count > 1_000)
        #expect(Set(all.map(\.emoji)).count == all.count)
        for each in all { #expect(Emoji.isOne(each.emoji), "\(each.name)") }
        #expect(all.contains { $0.emoji == "😀" && $0.name == "grinning face" })
        #expect(all.contains { $0.emoji == "❤️" && $0.name == "heavy black heart" })
    }

    @Test func `gives them, and not again to whoever has them`() async throws {
        try await Alice.tells(knowing: []) { alice in
            let connection = try RawConnection(to: alice.node.socketPath)
            let first = await connection.exchange(
                ["GET /api/v1/emoji HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"], until: "\0")
            let tag = try #require(first.firstMatch(of: /(?i)etag: ("[0-9a-f]+")/)?.1)
            #expect(first.contains(#"{"emoji":"😀","name":"grinning face"}"#))
            let again = try RawConnection(to: alice.node.socketPath)
            let answer = await again.exchange(
                ["GET /api/v1/emoji HTTP/1.1\r\nHost: x\r\nIf-None-Match: \(tag)\r\nConnection: close\r\n\r\n"],
                until: "\0")
            #expect(answer.hasPrefix("HTTP/1.1 304 "))
        }
    }
}
