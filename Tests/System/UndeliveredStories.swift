import Foundation
import Testing
import Waiting

extension Stories {
    /// What people see of what has reached nobody yet, or never will.
    @Suite("What nobody else has")
    struct Undelivered {
        private struct State: Decodable {
            let phase: String
            let reason: String?
        }

        private struct Message: Decodable {
            let id: String
            let text: String
            let state: State?
        }

        private struct Page: Decodable {
            let messages: [Message]
        }

        private struct Conversation: Decodable {
            let title: String
            let sync: String
        }

        private func sync(_ node: TestNode) async throws -> String? {
            try await node.answer("list", as: [Conversation].self).first { $0.title == ship }?.sync
        }

        private func message(_ text: String, _ node: TestNode) async throws -> Message? {
            try await node.answer("read", ship, as: Page.self).messages.first { $0.text == text }
        }

        @Test
        func `a change of the group is pending until somebody else has it, over sudden death too`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            await eventually("all of it is synced") { try await sync(alice) == "synced" }
            for node in [bob, carol] { await node.stop() }
            try await alice.run("describe", ship, "All aboard")
            #expect(try await sync(alice) == "pending")
            #expect(try await alice.run("read", ship).contains("changed the group description (pending)"))
            await alice.kill()
            try await alice.start()
            #expect(try await sync(alice) == "pending")
            try await bob.start(peers: [alice])
            await eventually("Bob has it") { try await sync(alice) == "synced" }
            await alice.kill()
            try await alice.start()
            #expect(try await sync(alice) == "synced")
        }

        @Test
        func `a message that nobody had before its author was removed has failed, is copied and dismissed`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            for node in [alice, bob] { await node.stop() }
            try await carol.run("send", ship, "wait for me")
            await carol.stop()
            try await alice.start()
            try await alice.run("remove", ship, "Carol")
            try await carol.start(peers: [alice])
            await eventually("Carol is told") { try await message("wait for me", carol)?.state?.phase == "failed" }
            let failed = try #require(try await message("wait for me", carol))
            #expect(failed.state?.reason == "You were removed before anybody received this")
            #expect(
                try await carol.run("read", ship).contains("(failed: You were removed before anybody received this)"))
            try await carol.run("cancel", failed.id)
            #expect(try await message("wait for me", carol) == nil)
            #expect(try await sync(carol) == "synced")
        }

        @Test
        func `who is spoken to directly hears of it with the first message`() async throws {
            let (alice, bob, _) = try await groupOfThree()
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("send", ship, "something else")
            await eventually("Bob has what came after") { try await bob.texts(in: ship) == ["something else"] }
            #expect(try await bob.answer("list", as: [ConversationAnswer].self).map(\.title) == [ship])
            try await alice.run("send", direct.id, "Hello Bob")
            await eventually("Bob has it") { try await bob.texts(in: "Alice") == ["Hello Bob"] }
        }
    }
}
