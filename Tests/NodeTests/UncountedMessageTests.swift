import LocalAPIModel
import Testing
import Time
import Waiting

@testable import Node

@Suite("Why a message does not count")
struct UncountedMessageTests {
    @Test func `is told with who did what, and the operation and the rule that decided`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: peers)
        let carol = try await Node.start("Carol", in: scratch, peers: peers)
        let dave = try await Node.start("Dave", in: scratch, peers: peers)
        await eventually("all have met") { await bob.hasMet(3) }
        let group = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        _ = try await alice.setRole(of: "Bob", in: group, to: "admin")
        let before = try await alice.send(["Ahoy"], to: group)[0].id
        await eventually("Bob is admin") { try await bob.messages(in: group).messages.contains { $0.id == before } }
        let since = Clock.text(Clock.now.milliseconds)
        try await Task.sleep(for: .milliseconds(50))
        _ = try await bob.add(["Dave"], to: group)
        let bobs = try await bob.send(["Mine now: https://bob.example"], to: group)[0].id
        await eventually("Dave is in") { try await dave.conversation(group).me.isMember }
        let daves = try await dave.send(["Ahoy"], to: group)[0].id
        await eventually("Alice has read both") {
            let ids = try await alice.messages(in: group).messages.map(\.id)
            return ids.contains(bobs) && ids.contains(daves)
        }
        _ = try await alice.remove("Bob", from: group, since: since)
        let removal = try #require(await alice.membershipHistory(of: group).last { $0.type == "remove" })
        let shown = try await alice.messages(in: group).messages
        func uncounted(_ id: String) -> MessageDescription.Uncounted? { shown.first { $0.id == id }?.uncounted }
        #expect(uncounted(before) == nil)
        let ofBob = try #require(uncounted(bobs))
        #expect(ofBob.rule == "author_removed" && ofBob.decidedBy == removal.id && ofBob.voidRule == nil)
        #expect(ofBob.reason == "whoever took its author out had not seen it: Alice removed Bob")
        let ofDave = try #require(uncounted(daves))
        #expect(ofDave.rule == "addition_void" && ofDave.voidRule == "revoked")
        #expect(
            ofDave.reason == "what made its author a member is void: Bob added Dave "
                + "(the authority it acts under was revoked, by this: Alice removed Bob)")
        #expect(shown.allSatisfy { ($0.afterRemoval == true) == ($0.uncounted != nil) })
        #expect(try await alice.links(in: group).links.isEmpty)
        // Nor is any of it unread: not while he is out, and not when he is in again.
        #expect(try await alice.conversation(group).unread == 0)
        _ = try await alice.add(["Bob"], to: group)
        #expect(try await alice.conversation(group).unread == 0)
        // Before he has heard of both he is an admin.
        await eventually("Bob is in again") { try await bob.conversation(group).me.role == .member }
        let back = try await bob.send(["Sorry"], to: group)[0].id
        await eventually("Alice hears him") { try await alice.messages(in: group).messages.contains { $0.id == back } }
        #expect(try await alice.conversation(group).unread == 1)
        #expect(try await alice.unreadCount() == 1)
        // What comes elsewhere is no reason to judge it again; what comes here is.
        let judged = await alice.told.counted
        #expect(judged.values.map(\.count) == [1])
        let elsewhere = try await alice.openDirect(with: "Carol").id
        _ = try await alice.send(["Carol?"], to: elsewhere)
        await eventually("Carol has it") { try await carol.messages(in: elsewhere).messages.count == 1 }
        _ = try await carol.send(["Alice?"], to: elsewhere)
        await eventually("Alice has it") { try await alice.unreadCount() == 2 }
        #expect(await alice.told.counted == judged)
        _ = try await bob.send(["Anybody?"], to: group)
        await eventually("it counts") { try await alice.unreadCount() == 3 }
        #expect(await alice.told.counted.values.map(\.count) == [2])
        for node in [alice, bob, carol, dave] { await node.stop() }
    }
}
