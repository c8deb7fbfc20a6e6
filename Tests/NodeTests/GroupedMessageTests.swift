import Dispatch
import LocalAPIModel
import OperationLog
import Replication
import Testing
import Waiting

@testable import Node
@testable import NodeCore
@testable import SQLiteStore

/// What becomes of messages that wait until the node looks at them, all at once.
@Suite("Messages that are taken together")
struct GroupedMessageTests {
    /// Lets Bob and Carol write to Alice, who looks at nothing meanwhile, and then at all of it.
    private func tell(
        _ prepare: (Node) async throws -> Void = { _ in }, _ check: (Node, String) async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let listening = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: listening)
        let carol = try await Node.start("Carol", in: scratch, peers: listening)
        await eventually("they know each other") {
            Set(await alice.people().map(\.name)) == ["Alice", "Bob", "Carol"]
        }
        let ship = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        for node in [bob, carol] {
            await eventually("everybody is there") { try await node.conversations().contains { $0.id == ship } }
            _ = try await node.send(["ready"], to: ship)
        }
        await eventually("both were heard") { try await alice.texts(in: ship).count == 2 }
        try await prepare(alice)
        alice.executor.queue.suspend()
        for number in 1...5 {
            for (name, node) in [("Bob", bob), ("Carol", carol)] {
                _ = try await node.send(["\(name) \(number)"], to: ship)
            }
        }
        // Nothing is read while the node's queue rests, so nobody can ask whether all of it waits in the sockets. Each
        // is to come as it was pushed: what came later could be the answer to a question, several in one batch, which
        // is stored whole or not at all.
        try? await Task.sleep(for: .milliseconds(500))
        alice.executor.queue.resume()
        try await check(alice, ship)
        for node in [alice, bob, carol] { await node.stop() }
    }

    private static let said = (1...5).flatMap { ["Bob \($0)", "Carol \($0)"] }

    @Test func `all are stored and shown, each once, also to whoever comes later`() async throws {
        var before: UInt64 = 0
        try await tell { alice in
            before = await alice.status().lastEvent
        } _: { alice, ship async throws in
            await eventually("all came") { try await alice.texts(in: ship).count == 12 }
            #expect(try await Set(alice.texts(in: ship)).isSuperset(of: Self.said))
            let last = await alice.status().lastEvent
            var told: [String] = []
            for await published in await alice.subscribe(since: before).events {
                #expect(published.event.type != .resync)
                if let text = published.event.message?.text { told.append(text) }
                if published.event.id == last { break }
            }
            #expect(told.sorted() == Self.said.sorted())
        }
    }

    @Test func `one that cannot be stored stands in nobody's way`() async throws {
        try await tell { alice in
            try await alice.refuseFourthMessages()
        } _: { alice, ship in
            // Of each chain what comes before the one that is refused; what follows it has to wait for it.
            let first = ["Bob 1", "Bob 2", "Carol 1", "Carol 2"]
            await eventually("the others came") { try await Set(alice.texts(in: ship)).isSuperset(of: first) }
            #expect(try await Set(alice.texts(in: ship)) == Set(first + ["ready"]))
            try await alice.takeAllMessages()
            await eventually("all came") { try await Set(alice.texts(in: ship)).isSuperset(of: Self.said) }
        }
    }
}

extension Node {
    fileprivate func texts(in conversation: String) async throws -> [String] {
        try messages(in: conversation, limit: 100).messages.filter { $0.kind == .text }.compactMap(\.text)
    }

    /// From now on the fourth message of each device makes SQLite take back what it is in the middle of, as a full disk
    /// does.
    ///
    /// Its place in the chain tells nothing: a device also writes keys, and who makes one depends on who was faster.
    fileprivate func refuseFourthMessages() throws {
        try store.access {
            try Query(
                """
                CREATE TEMP TRIGGER full BEFORE INSERT ON operations WHEN new.type = 32
                    AND (SELECT count(*) FROM operations WHERE device = new.device AND type = 32) = 3
                BEGIN SELECT RAISE(ROLLBACK, 'full'); END
                """, on: $0
            ).run()
        }
    }

    fileprivate func takeAllMessages() throws {
        try store.access { try Query("DROP TRIGGER full", on: $0).run() }
    }
}
