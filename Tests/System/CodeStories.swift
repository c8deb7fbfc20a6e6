import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Codes")
    struct Codes {
        struct NewCode: Decodable, Sendable {
            let id: String
            let code: String
        }

        struct Code: Decodable, Sendable {
            let id: String
            let inviterName: String
        }

        struct Info: Decodable, Sendable {
            struct Member: Decodable, Sendable {
                let user: String
            }

            let members: [Member]
        }

        @Test
        func `somebody whom nobody knows joins by a code, and nobody after them`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let erin = try TestNode("Erin")
            let friends = [alice, bob, carol]
            for (index, node) in friends.enumerated() { try await node.start(peers: Array(friends[..<index])) }
            try await dave.start()
            try await erin.start()
            await expectFullMesh(friends)
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "before")
            #expect(try await bob.refusal("invite", ship, "--code") == "insufficient_permissions")
            let drawing = try await alice.outcome(["invite", ship, "--qr"])
            #expect(drawing.output.contains("█"))
            let hint = try #require((drawing.output + drawing.errors).firstMatch(of: /To take it back: (.*)/))
            #expect(hint.1.wholeMatch(of: /moot invite [0-9a-f]{16} --cancel [0-9a-f]{16}/) != nil, "no name to quote")
            let made: NewCode = try await alice.answer("invite", ship, "--code", "--expires", "8h")
            #expect(made.code.hasPrefix("moot:invite:"))
            #expect(try await bob.codes().count == 2)

            try await dave.run("join", "-", input: made.code + "\n")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"], at: friends + [dave])
            try await alice.run("send", ship, "after")
            await eventually("Dave reads what was sent since, and no more") {
                try await dave.texts(in: ship) == ["after"]
            }
            await eventually("the others are told") {
                try await carol.run("read", ship).contains("Dave joined the group")
            }
            await eventually("the code is taken back") {
                try await carol.run("membership", "history", ship).contains("took back an invite")
            }
            #expect(try await alice.codes().map(\.inviterName) == ["Alice"], "the drawn one is left")
            #expect(try await erin.refusal("join", made.code) == "code_used")
            #expect(
                try await erin.refusal("read", ship) == "conversation_not_found", "they learned nothing of the group")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"], at: friends + [dave])
        }

        @Test
        func `a code that is damaged, has ended or was taken back lets in nobody, and says why`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let friends = [alice, bob, carol]
            for (index, node) in friends.enumerated() { try await node.start(peers: Array(friends[..<index])) }
            try await dave.start()
            await expectFullMesh(friends)
            try await makeGroup(alice, [bob, carol])

            let ended: NewCode = try await alice.answer("invite", ship, "--code", "--expires", "1s")
            let whole: NewCode = try await alice.answer("invite", ship, "--code")
            let last = try #require(whole.code.last)
            for wrong in ["hello", String(whole.code.dropLast()) + (last == "A" ? "B" : "A"), whole.code + "A"] {
                #expect(try await dave.refusal("join", wrong) == "code_invalid")
            }
            await eventually("it ends by itself, for everybody") {
                try await bob.codes().map(\.id) == [whole.id]
            }
            #expect(try await dave.refusal("join", ended.code) == "code_expired")
            #expect(
                try await bob.refusal("invite", ship, "--cancel", String(whole.id.prefix(16)))
                    == "insufficient_permissions")
            try await alice.run("invite", ship, "--cancel", String(whole.id.prefix(16)))
            #expect(try await alice.codes().isEmpty)
            #expect(try await dave.refusal("join", whole.code) == "code_cancelled")
            await expectRoles(["Alice": "founder", "Bob": "member", "Carol": "member"], at: friends)
        }

        @Test
        func `of two who use one code apart from each other the same one is a member everywhere`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            let erin = try TestNode("Erin")
            let friends = [alice, bob, carol]
            for (index, node) in friends.enumerated() { try await node.start(peers: Array(friends[..<index])) }
            await expectFullMesh(friends)
            try await makeGroup(alice, [bob, carol])
            let made: NewCode = try await alice.answer("invite", ship, "--code")
            await eventually("all know of it") {
                let (bobs, carols) = (try await bob.codes().count, try await carol.codes().count)
                return bobs == 1 && carols == 1
            }
            // Any member lets in who holds the code. Whoever made it sleeps.
            for node in friends { await node.stop() }
            try await bob.start()
            try await dave.start(peers: [bob])
            try await dave.run("join", made.code)
            let (daves, bobs) = (try await dave.status().user, try await bob.status().user)
            await eventually("Bob knows that Dave joined") { try await bob.members().contains(daves) }
            for node in [bob, dave] { await node.stop() }
            try await carol.start()
            try await erin.start(peers: [carol])
            try await erin.run("join", made.code)
            let (erins, carols) = (try await erin.status().user, try await carol.status().user)
            await eventually("Carol knows that Erin joined") { try await carol.members().contains(erins) }

            try await bob.start(peers: [carol])
            try await alice.start(peers: [bob, carol])
            let alices = try await alice.status().user
            await eventually("one of them is in, the same for all") {
                var seen: Set<Set<String>> = []
                for node in friends { seen.insert(try await node.members()) }
                guard seen.count == 1, let members = seen.first else { return false }
                return members == [alices, bobs, carols, daves] || members == [alices, bobs, carols, erins]
            }
            await eventually("the code is taken back") {
                try await carol.run("membership", "history", ship).contains("took back an invite")
            }
        }
    }
}

extension TestNode {
    /// The codes of the group that somebody could use.
    fileprivate func codes() async throws -> [Stories.Codes.Code] {
        try await answer("invite", ship, "--codes")
    }

    /// The ids of the members.
    fileprivate func members() async throws -> Set<String> {
        Set(try await answer("info", ship, as: Stories.Codes.Info.self).members.map(\.user))
    }
}
