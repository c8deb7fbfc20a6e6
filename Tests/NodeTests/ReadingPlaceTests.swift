import LocalAPIModel
import Node
import Testing

@Suite("Where the user goes on reading")
struct ReadingPlaceTests {
    @Test func `is the first message that is unread, and an event says how many are`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        try await eventually("they have met") { await bob.people().count == 2 }
        let direct = try await bob.openDirect(with: "Alice").id
        let events = await alice.subscribe().events
        var sent: [String] = []
        for text in ["one", "two", "three"] { sent.append(try await bob.send([text], to: direct)[0].id) }
        var unread: [Int] = []
        for await published in events where published.event.type == .message {
            unread.append(try #require(published.event.unread))
            if published.event.message?.id == sent.last { break }
        }
        #expect(unread.last == 3 && unread == unread.sorted())
        #expect(try await alice.conversation(direct).firstUnread == sent[0])
        #expect(try await alice.conversations().first?.firstUnread == nil, "a list does not say")

        let read = try await alice.markRead(direct, upTo: sent[0])
        #expect(read.unread == 2 && read.firstUnread == sent[1])
        _ = try await bob.delete(sent[1])
        try await eventually("it is gone") { try await alice.conversation(direct).unread == 1 }
        #expect(try await alice.conversation(direct).firstUnread == sent[2], "what was deleted is nothing to read")
        #expect(try await alice.markRead(direct).firstUnread == nil)
        for node in [alice, bob] { await node.stop() }
    }
}
