import LocalAPIModel
import Node
import Testing
import Waiting

@Suite("Where the user goes on reading")
struct ReadingPlaceTests {
    @Test func `is the first message that is unread, and an event says how many are`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they have met") { await bob.hasMet(1) }
        let direct = try await bob.openDirect(with: "Alice").id
        let events = await alice.subscribe(folding: true).events
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
        await eventually("it is gone") { try await alice.conversation(direct).unread == 1 }
        #expect(try await alice.conversation(direct).firstUnread == sent[2], "what was deleted is nothing to read")
        #expect(try await alice.markRead(direct).firstUnread == nil)
        for node in [alice, bob] { await node.stop() }
    }

    @Test func `is found at a moment behind the last message, however short the page`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they have met") { await alice.hasMet(1) }
        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["one", "two", "three", "four"], to: direct)
        for limit in 1...4 {
            let page = try await alice.messages(in: direct, around: .moment("2100-01-01T00:00:00Z"), limit: limit)
            #expect(page.messages.last?.text == "four", "\(limit)")
            #expect(page.later == nil && page.earlier == page.messages.first?.id, "\(limit)")
            let start = try await alice.messages(in: direct, around: .moment("2026-01-01T00:00:00Z"), limit: limit)
            #expect(start.earlier == nil && start.messages.count == limit, "\(limit)")
        }
        for node in [alice, bob] { await node.stop() }
    }

    @Test func `is counted anew once a second at most, and events say what was read and deleted meanwhile`()
        async throws
    {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they have met") { await bob.hasMet(1) }
        // A stranger is forgotten for the moment in which one connection takes the place of another.
        await eventually("they still know each other") { try await !bob.openDirect(with: "Alice").id.isEmpty }
        let direct = try await bob.openDirect(with: "Alice").id
        let events = await alice.subscribe(folding: true).events
        var iterator = events.makeAsyncIterator()
        /// What the event about a message says that Bob sends.
        func unread(after text: String) async throws -> Int? {
            let sent = try await bob.send([text], to: direct)[0].id
            while let published = await iterator.next() {
                if published.event.type == .message, published.event.message?.id == sent {
                    return published.event.unread
                }
            }
            return nil
        }
        for count in 1...5 { #expect(try await unread(after: "\(count)") == count) }
        _ = try await alice.markRead(direct)
        #expect(try await unread(after: "again") == 1)
        let regretted = try await bob.send(["regretted"], to: direct)[0].id
        _ = try await bob.delete(regretted)
        await eventually("it is gone") { try await alice.conversation(direct).unread == 1 }
        #expect(try await unread(after: "at last") == 2)
        _ = try await alice.send(["mine"], to: direct)
        let counted = try await alice.conversation(direct).unread
        #expect(try await unread(after: "and yours") == counted + 1)
        for node in [alice, bob] { await node.stop() }
    }
}
