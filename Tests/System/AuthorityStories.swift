import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Authority")
    struct Authority {
        @Test
        func `nobody does what their role does not allow, and the command says so`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            try await alice.run("promote", ship, "Carol", "--to", "moderator")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "moderator"], at: [alice, bob, carol])

            #expect(try await carol.refusal("rename", ship, "Boat") == "insufficient_permissions")
            #expect(try await carol.refusal("promote", ship, "Carol", "--to", "admin") == "insufficient_permissions")
            #expect(try await bob.refusal("demote", ship, "Alice") == "outranked")
            #expect(try await bob.refusal("remove", ship, "Alice") == "outranked")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "moderator"], at: [alice, bob, carol])
        }

        @Test
        func `a removed person keeps what they had, writes no more and learns nothing more`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("send", ship, "before")
            await eventually("Carol reads it") { try await carol.texts(in: ship) == ["before"] }

            try await alice.run("remove", ship, "Carol")
            await eventually("Carol learns that they were removed") {
                try await carol.refusal("send", ship, "still here") == "not_a_participant"
            }
            await expectRoles(["Alice": "founder", "Bob": "member"], at: [alice, bob])
            try await alice.run("send", ship, "after")
            await eventually("Bob reads it") { try await bob.texts(in: ship) == ["before", "after"] }
            #expect(try await carol.texts(in: ship) == ["before"])
            #expect(try await carol.run("list").contains("not a member"))
            #expect(try await !bob.run("list").contains("not a member"))
        }

        @Test
        func `who is removed with what they did since loses that, and it is said before`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob, carol])
            #expect(try await alice.refusal("remove", ship, "Bob", "--since", "1s") == "invalid_operation")
            try await Task.sleep(for: .seconds(1))
            let begin = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            try await bob.run("promote", ship, "Carol", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "admin"], at: [alice, carol])
            try await bob.run("rename", ship, "Mine")
            await eventually("Alice sees the name") { try await alice.run("list").contains("Mine") }

            let removed = try await alice.outcome(["remove", "Mine", "Bob", "--since", begin])
            #expect(removed.status == 0 && removed.errors.contains("2 decisions would not count"))
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [alice, carol])
            await eventually("the name is back") { try await carol.run("list").contains(ship) }
        }

        @Test
        func `two admins who remove the same person apart from each other agree when they meet`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let everybody = [alice, bob, carol, dave]
            try await alice.start()
            for node in everybody.dropFirst() { try await node.start(peers: [alice]) }
            await expectFullMesh(everybody)
            try await makeGroup(alice, [bob, carol, dave])
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(
                ["Alice": "founder", "Bob": "admin", "Carol": "member", "Dave": "member"], at: everybody)

            // Each writes while nobody else is there.
            for node in [alice, carol, dave] { await node.stop() }
            try await bob.run("remove", ship, "Dave")
            await bob.stop()
            try await alice.start()
            try await alice.run("remove", ship, "Dave")

            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice, bob])
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob, carol])
            try await expectEqualReplicas([alice, bob, carol])
        }

        @Test
        func `who names the group at the same time as another, and loses, is told`() async throws {
            let (alice, bob, _) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob])
            let id = try await alice.answer("info", ship, as: ConversationAnswer.self).id
            await alice.stop()
            try await bob.run("rename", id, "Boat")
            await bob.stop()
            try await alice.start()
            try await alice.run("rename", id, "Ship and crew")
            try await bob.start()
            let watches = [try await alice.watch(id), try await bob.watch(id)]
            try await bob.run(
                "people", "add",
                try await alice.run("whoami", "--code").trimmingCharacters(in: .whitespacesAndNewlines))
            await eventually("both call it the same") {
                let names = [try await alice.title(of: id), try await bob.title(of: id)]
                return Set(names).count == 1
            }
            let name = try await alice.title(of: id)
            let sentence =
                name == "Boat"
                ? "Bob changed the name to \"Boat\" at the same time; yours was \"Ship and crew\""
                : "Alice changed the name to \"Ship and crew\" at the same time; yours was \"Boat\""
            let (loser, winner) = name == "Boat" ? (watches[0], watches[1]) : (watches[1], watches[0])
            await eventually("who lost is told") { loser.output.contains("* " + sentence) }
            #expect(!winner.output.contains("at the same time"))
            for watch in watches { watch.signal(SIGTERM) }
        }

        @Test
        func `the last admin names a successor before leaving`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            #expect(try await alice.refusal("leave", ship) == "last_admin")
            try await alice.run("leave", ship, "--successor", "Bob")
            await expectRoles(["Bob": "admin", "Carol": "member"], at: [bob, carol])
            #expect(try await alice.refusal("send", ship, "one more thing") == "not_a_participant")
        }

        @Test
        func `when an admin leaves the next admin ratifies who is in and who was removed`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob, carol])
            try await alice.run("leave", ship)
            await expectRoles(["Bob": "admin", "Carol": "member"], at: [bob, carol])
            await eventually("Bob's node has ratified, and once") {
                try await carol.answer("membership", "history", ship, as: [LaneAnswer].self)
                    .filter { $0.type == "ratify" }.map(\.sentence)
                    == ["Bob ratified who is in the group, and that these are not: Alice."]
            }
            try await expectEqualReplicas([bob, carol])
        }

        @Test
        func `without an admin the oldest member acts, and becomes admin by acting`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("leave", ship, "--force")
            await expectRoles(["Bob": "admin", "Carol": "member"], at: [bob, carol])
            #expect(try await carol.refusal("rename", ship, "Mine") == "insufficient_permissions")
            try await bob.run("promote", ship, "Carol", "--to", "moderator")
            await expectRoles(["Bob": "admin", "Carol": "moderator"], at: [bob, carol])
            try await expectEqualReplicas([bob, carol])
        }

        @Test
        func `who steps down stays a member, the last admin does not`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            #expect(try await alice.refusal("demote", ship, "Alice") == "last_admin")
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            try await bob.run("demote", ship, "Bob")
            await expectRoles(["Alice": "founder", "Bob": "member", "Carol": "member"], at: [alice, bob, carol])
        }

        @Test
        func `why tells who decided about what a removed admin had done meanwhile`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob, carol])
            // Bob promotes Carol where nobody hears of it, while Alice removes Bob.
            for node in [alice, carol] { await node.stop() }
            try await bob.run("promote", ship, "Carol", "--to", "admin")
            await bob.stop()
            try await alice.start()
            try await alice.run("remove", ship, "Bob", "--archive")
            try await carol.start(peers: [alice])
            try await bob.start(peers: [alice, carol])
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [alice, carol])
            await eventually("Bob is told why") {
                try await bob.answer("membership", "why", ship, as: [LaneAnswer].self).map(\.sentence)
                    == [
                        "Bob made Carol admin. Void: the authority it acts under was revoked, by this: Alice removed Bob."
                    ]
            }
        }
    }
}
