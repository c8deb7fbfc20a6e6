import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Invites")
    struct Invites {
        @Test
        func `who accepts an invite is a member from then on, who declines is none`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let erin = try TestNode("Erin")
            let everybody = [alice, bob, carol, dave, erin]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "before")
            #expect(try await bob.refusal("invite", ship, "Dave") == "insufficient_permissions")
            #expect(try await alice.refusal("invite", ship, "Bob") == "already_in_group")
            try await alice.run("invite", ship, "Dave")
            try await alice.run("invite", ship, "Erin")
            #expect(try await alice.refusal("invite", ship, "Dave") == "duplicate_participant")
            #expect(try await alice.refusal("invite", ship, "--cancel", "Bob") == "unknown_person")

            for node in [dave, erin] {
                await eventually("\(node.name) hears of the invite") {
                    try await node.answer("list", "--requests", as: [InvitedAnswer].self).first?.me.invitedBy.count == 1
                }
                #expect(try await node.refusal("send", ship, "hello?") == "not_a_participant")
            }
            #expect(try await dave.run("info", ship).contains("use moot accept or moot decline"))
            try await dave.run("accept", ship)
            try await erin.run("decline", ship)
            #expect(try await erin.refusal("accept", ship) == "invalid_operation")
            #expect(try await dave.refusal("accept", ship) == "already_in_group")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"],
                at: [alice, bob, carol, dave])
            try await alice.run("send", ship, "after")
            await eventually("Dave reads what was sent since, and no more") {
                try await dave.texts(in: ship) == ["after"]
            }
            await eventually("the others are told") {
                try await bob.run("read", ship).contains("Dave joined the group")
            }
            await eventually("nobody is invited any more") {
                try await alice.answer("info", ship, as: InvitedAnswer.self).invited.isEmpty
            }
        }

        @Test
        func `an invite that was taken back cannot be accepted, nor one by somebody removed since`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let everybody = [alice, bob, carol, dave]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol])
            try await alice.run("invite", ship, "Dave")
            await eventually("Dave is invited") {
                try await dave.answer("list", "--requests", as: [InvitedAnswer].self).first?.me.invitedBy.count == 1
            }
            try await alice.run("invite", ship, "--cancel", "Dave")
            await eventually("it is taken back") {
                try await dave.answer("info", ship, as: InvitedAnswer.self).me.invitedBy.isEmpty
            }
            #expect(try await dave.refusal("accept", ship) == "invalid_operation")

            try await alice.run("promote", ship, "Bob", "--to", "moderator")
            await eventually("Bob may invite") { try await bob.outcome(["invite", ship, "Dave"]).status == 0 }
            await eventually("Dave is invited again") {
                try await dave.answer("info", ship, as: InvitedAnswer.self).me.invitedBy.count == 1
            }
            try await alice.run("remove", ship, "Bob")
            await eventually("what they offered is void") {
                try await dave.answer("info", ship, as: InvitedAnswer.self).me.invitedBy.isEmpty
            }
            #expect(try await dave.refusal("accept", ship) == "invalid_operation")
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [alice, carol])
        }

        @Test
        func `who was removed hears of a new invite, and an old one does not bring them back`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let everybody = [alice, bob, carol, dave]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol])
            try await alice.run("invite", ship, "Dave")
            try await alice.run("add", ship, "Dave")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"], at: everybody)
            try await alice.run("remove", ship, "Dave")
            await expectRoles(["Alice": "founder", "Bob": "member", "Carol": "member"], at: [alice, bob, carol])
            #expect(try await alice.answer("info", ship, as: InvitedAnswer.self).invited.isEmpty)
            await eventually("Dave hears that they are out") {
                try await dave.refusal("send", ship, "hello?") == "not_a_participant"
            }
            #expect(try await dave.refusal("accept", ship) == "invalid_operation")

            try await alice.run("invite", ship, "Dave")
            await eventually("Dave hears of the new invite") {
                try await dave.answer("info", ship, as: InvitedAnswer.self).me.invitedBy.count == 1
            }
            try await dave.run("accept", ship)
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"], at: everybody)
        }
    }
}

extension Stories {
    @Suite("Who may add")
    struct Adding {
        @Test
        func `every member adds where the group says so, and a moderator's word ends it`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let erin = try TestNode("Erin")
            let everybody = [alice, bob, carol, dave, erin]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol])
            #expect(try await bob.refusal("add", ship, "Dave") == "insufficient_permissions")
            #expect(try await bob.refusal("set", ship, "members-add", "everyone") == "insufficient_permissions")
            #expect(try await alice.refusal("set", ship, "members-add", "nobody") == "invalid_request")
            try await alice.run("set", ship, "members-add", "everyone")
            await eventually("Bob may add") { try await bob.outcome(["add", ship, "Dave"]).status == 0 }
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"],
                at: [alice, bob, carol, dave])
            #expect(try await bob.refusal("remove", ship, "Carol") == "insufficient_permissions")
            let short = try await dave.run("info", ship, "--limit", "3")
            #expect(short.contains("and 1 more: moot info"))
            #expect(!short.contains("Dave  "))
            #expect(try await dave.run("info", ship, "--limit", "3", "--all").contains("Dave  "))
            let told = try await carol.run("read", ship)
            #expect(told.contains("Alice lets every member add people"))
            #expect(told.contains("Bob added Dave"))

            try await alice.run("set", ship, "members-add", "moderators")
            await eventually("Dave hears of it") {
                try await dave.refusal("add", ship, "Erin") == "insufficient_permissions"
            }
        }
    }

    @Suite("The last two")
    struct LastTwo {
        @Test
        func `who would leave one person alone is asked first, and then the group is archived`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let everybody = [alice, bob, carol]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol])
            try await alice.run("remove", ship, "Carol")
            await expectRoles(["Alice": "founder", "Bob": "member"], at: [alice, bob])

            #expect(try await alice.refusal("remove", ship, "Bob") == "would_archive")
            #expect(try await bob.refusal("leave", ship) == "would_archive")
            let question = try await bob.outcome(["leave", ship])
            #expect(question.errors.contains("This will archive the group (only 1 member remaining)"))
            await expectRoles(["Alice": "founder", "Bob": "member"], at: [alice, bob])

            try await alice.run("remove", ship, "Bob", "--archive")
            await eventually("Bob hears that they are out") {
                try await bob.refusal("send", ship, "hello?") == "not_a_participant"
            }
            #expect(try await alice.answer("info", ship, as: ArchivedAnswer.self).archived)
            #expect(try await alice.answer("list", as: [ArchivedAnswer].self).isEmpty)
        }
    }
}

private struct ArchivedAnswer: Decodable, Sendable {
    let archived: Bool
}

private struct InvitedAnswer: Decodable, Sendable {
    struct Me: Decodable, Sendable {
        let invitedBy: [String]
    }

    struct Invited: Decodable, Sendable {
        let name: String
    }

    let me: Me
    let invited: [Invited]
}
