import LocalAPIModel
import Node
import NodeCore
import Testing
import Waiting

@Suite("What the user may do")
struct RightsTests {
    /// What Bob is in the group.
    enum Standing: CaseIterable {
        case member, adding, moderator, admin, removed, silenced
    }

    @Test(arguments: Standing.allCases)
    func `is told as the commands decide it`(standing: Standing) async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: peers)
        let others = [
            try await Node.start("Carol", in: scratch, peers: peers),
            try await Node.start("Dave", in: scratch, peers: peers),
        ]
        await eventually("all have met") { await bob.hasMet(3) }
        let group = try await alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
        switch standing {
        case .member: break
        case .adding:
            _ = try await alice.set(name: nil, description: nil, settings: ["members-add": "everyone"], of: group)
        case .moderator: _ = try await alice.setRole(of: "Bob", in: group, to: "moderator")
        case .admin: _ = try await alice.setRole(of: "Bob", in: group, to: "admin")
        case .removed: _ = try await alice.remove("Bob", from: group)
        case .silenced:
            _ = try await alice.set(name: nil, description: nil, settings: ["announcement": "on"], of: group)
        }
        let said = try await alice.send(["Ahoy"], to: group)[0].id
        let changes = try await alice.membershipHistory(of: group).count
        if standing == .removed {
            await eventually("Bob knows") { try await !bob.conversation(group).me.isMember }
        } else {
            await eventually("Bob knows") {
                let known = try await bob.membershipHistory(of: group).count
                let messages = try await bob.messages(in: group).messages
                return known >= changes && messages.contains { $0.id == said }
            }
        }
        let may = try await bob.conversation(group).me.may
        func isDone(_ command: () async throws -> some Sendable) async -> Bool {
            do {
                _ = try await command()
                return true
            } catch {
                return false
            }
        }
        #expect(await isDone { try await bob.send(["Aye"], to: group) } == may.write)
        #expect(await isDone { try await bob.pin(said, isPinned: true) } == may.pin)
        #expect(await isDone { try await bob.set(name: "Boat", description: nil, of: group) } == may.edit)
        #expect(await isDone { try await bob.setRole(of: "Carol", in: group, to: "moderator") } == may.promote)
        #expect(await isDone { try await bob.invite("Dave", to: group) } == may.invite)
        #expect(await isDone { try await bob.add(["Dave"], to: group) } == may.add)
        #expect(await isDone { try await bob.remove("Carol", from: group) } == may.remove)
        #expect(await isDone { try await bob.delete(said) } == may.deleteOthers)
        #expect(may.write == ![.removed, .silenced].contains(standing))
        #expect(may.add == [.adding, .moderator, .admin].contains(standing))
        #expect(may.edit == (standing == .admin))
        for node in others + [alice, bob] { await node.stop() }
    }

    @Test func `in a direct conversation is to write and to pin`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they have met") { await alice.hasMet(1) }
        let direct = try await alice.openDirect(with: "Bob")
        var expected = direct.me.may
        #expect(expected.write && expected.pin)
        (expected.write, expected.pin) = (false, false)
        #expect(!expected.add && !expected.remove && !expected.edit && !expected.promote && !expected.invite)
        _ = try await alice.setBlocked(true, of: "Bob")
        #expect(try await !alice.conversation(direct.id).me.may.write)
        for node in [alice, bob] { await node.stop() }
    }
}
