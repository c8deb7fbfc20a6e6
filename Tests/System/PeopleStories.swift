import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Knowing whom one talks to")
    struct Knowing {
        struct Comparison: Decodable {
            let code: String
            let person: PersonAnswer
        }

        struct Contact: Decodable {
            let code: String
        }

        @Test
        func `two people compare codes, and the mark outlives a restart`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])

            // Without a terminal the command only shows the code.
            let seen: Comparison = try await alice.answer("people", "verify", "Bob")
            #expect(!seen.person.verified)
            // It works while the other is offline, if they have talked to each other: of strangers nothing is kept.
            try await bob.run("direct", "Alice")
            try await alice.run("direct", "Bob")
            await alice.stop()
            #expect(try await bob.answer("people", "verify", "Alice", as: Comparison.self).code == seen.code)
            try await alice.start()
            #expect(try await alice.answer("people", "verify", "Bob", "--matches", as: Comparison.self).person.verified)
            await alice.kill()
            try await alice.start()
            #expect(try await alice.verified() == ["Bob"])
            #expect(try await bob.verified() == [], "what Alice is sure of is theirs alone")

            try await alice.run("people", "verify", "Bob", "--undo")
            #expect(try await alice.verified() == [])
        }

        @Test
        func `a contact code reaches whom discovery does not, after a restart too`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start()
            let address = try await bob.address
            let code = try await bob.run("whoami", "--code").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(code.hasPrefix("moot:contact:"))
            let drawing = try await bob.run("whoami", "--qr")
            #expect(drawing.contains("█"))

            let added: PersonAnswer = try await alice.answer("people", "add", code)
            #expect(added.name == "Bob")
            #expect(!added.verified)
            let scanned: PersonAnswer = try await alice.answer("people", "add", code, "--scanned")
            #expect(scanned.verified)
            await expectFullMesh([alice, bob])

            // Nobody names a peer now: Alice knows the way already.
            await alice.stop()
            try await alice.start()
            await expectFullMesh([alice, bob])
            #expect(try await alice.verified() == ["Bob"])

            // Somebody else at Bob's address is not taken for them.
            await bob.stop()
            let carol = try TestNode("Carol", options: ["--listen", address, "--no-discovery"])
            let dora = try TestNode("Dora")
            try await carol.start()
            try await dora.start()
            let carolsID = try await carol.status().user
            // The second time they know each other already.
            for _ in 1...2 {
                let outcome = try await dora.outcome(["people", "add", code, "--scanned", "--json"])
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("wrong_person"))
                #expect(outcome.errors.contains("but Carol, who is \(carolsID), answers at \(address)"))
            }
            #expect(try await dora.verified() == [])
        }

        @Test
        func `a contact code of somebody who sleeps is not forgotten`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await alice.start()
            try await bob.start()
            let address = try await bob.address
            let code = try await bob.run("whoami", "--code").trimmingCharacters(in: .whitespacesAndNewlines)
            await bob.stop()

            let outcome = try await alice.outcome(["people", "add", code])
            #expect(outcome.status == 75)
            #expect(outcome.errors.contains("Network error. Please try again"))
            #expect(outcome.errors.contains("Nobody answers at \(address)"))
            await alice.stop()
            try await alice.start()
            let awake = try TestNode("Bob", home: bob.home, options: ["--listen", address, "--no-discovery"])
            try await awake.start()
            await expectFullMesh([alice, awake])
        }

        @Test
        func `a member whom Dave never meets has a name all the same, and a new one when it changes`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let dave = try TestNode("Dave")
            await carol.stop()
            try await dave.start(peers: [alice])
            await expectFullMesh([alice, bob, dave])
            try await alice.run("add", ship, "Dave")
            await eventually("Dave is told who Carol is") {
                try await dave.names(in: ship) == ["Alice", "Bob", "Carol", "Dave"]
            }
            #expect(try await dave.answer("people", "carol", as: [PersonAnswer].self).map(\.name) == ["Carol"])

            // What was passed on is kept: nobody tells Dave again.
            await alice.stop()
            await bob.stop()
            await dave.kill()
            try await dave.start()
            #expect(try await dave.names(in: ship) == ["Alice", "Bob", "Carol", "Dave"])

            await dave.stop()
            try await carol.start()
            try await carol.run("profile", "set", "--name", "Caroline")
            try await alice.start(peers: [carol])
            await eventually("Alice hears it of Carol") { try await alice.names(in: ship).contains("Caroline") }
            await carol.stop()
            try await dave.start(peers: [alice])
            await eventually("Dave hears it of Alice", within: .seconds(40)) {
                try await dave.names(in: ship) == ["Alice", "Bob", "Caroline", "Dave"]
            }
        }

        @Test
        func `people are found by the beginnings of their names' words, whatever the case and the accents`()
            async throws
        {
            let alice = try TestNode("Alice")
            let zoe = try TestNode("Zoë Müller")
            let bob = try TestNode("Bob Zobel")
            try await alice.start()
            try await zoe.start(peers: [alice])
            try await bob.start(peers: [alice])
            await eventually("Alice has met both") {
                try await alice.answer("people", as: [PersonAnswer].self).count == 3
            }
            for (words, names) in [
                ("zo", ["Bob Zobel", "Zoë Müller"]), ("ZOE", ["Zoë Müller"]), ("mull zo", ["Zoë Müller"]), ("bel", []),
                ("alice bob", []),
            ] {
                let found: [PersonAnswer] = try await alice.answer("people", words)
                #expect(found.map(\.name) == names, "\(words)")
            }
            #expect(
                try await alice.answer("people", "mü", "zoë", as: [PersonAnswer].self).map(\.name) == ["Zoë Müller"])
            #expect(try await alice.outcome(["people", "nobody"]).errors.contains("Nobody found."))
        }

        @Test
        func `a second Bob is a warning that nobody misses, and nobody is taken for the other`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let impostor = try TestNode("Bob")
            try await alice.start()
            try await bob.start(peers: [alice])
            await expectFullMesh([alice, bob])
            try await alice.run("people", "verify", "Bob", "--matches")
            try await impostor.start(peers: [alice])
            await eventually("Alice has met both") {
                try await alice.answer("people", as: [PersonAnswer].self).count == 3
            }

            let ids = [try await bob.status().user, try await impostor.status().user]
            for command in ["people", "status"] {
                let shown = try await alice.outcome([command]).errors
                let marks = [
                    "2 people are called Bob", "\(ids[0].prefix(16)) (verified)", "\(ids[1].prefix(16)) (not verified)",
                ]
                #expect(marks.allSatisfy(shown.contains), "\(shown)")
            }
            // Of two whom Alice does not know better the name means neither; of these two it means the one who is
            // verified.
            try await alice.run("direct", "Bob")
            try await alice.run("send", "Bob", "Ahoy")
            await eventually("the one who is verified has it") { try await bob.texts(in: "Alice") == ["Ahoy"] }
            try await alice.run("people", "verify", String(ids[0].prefix(16)), "--undo")
            try await alice.run("send", "Bob", "It is me again")
            await eventually("the one whom Alice talks to has it") { try await bob.texts(in: "Alice").count == 2 }
            #expect(try await impostor.answer("list", as: [ConversationAnswer].self).isEmpty)

            try await alice.run("direct", ids[1])
            try await alice.run("send", ids[1], "Who are you?")
            for command in [["direct", "Bob"], ["send", "Bob", "Which one?"]] {
                let refused = try await alice.outcome(command + ["--json"])
                #expect(refused.errors.contains("ambiguous_name"))
                #expect(ids.allSatisfy { refused.errors.contains($0.prefix(8)) })
            }
        }

        @Test
        func `ids win over names, and nobody is called as Moot itself calls somebody`() async throws {
            let alice = try TestNode("Alice")
            let marcus = try TestNode("Marcus")
            try await start(together: [alice, marcus])
            let digits = String(try await marcus.status().user.prefix(16))
            let stranger = try TestNode(digits)
            try await stranger.start(peers: [alice])
            await eventually("Alice has met both") {
                try await alice.answer("people", as: [PersonAnswer].self).count == 3
            }
            let id = try await stranger.status().user
            try await alice.run("people", "verify", digits, "--matches")
            #expect(try await alice.verified() == ["Marcus"])
            try await alice.run("direct", digits)
            try await alice.run("send", digits, "My PIN is 1234")
            await eventually("Marcus has it") { try await marcus.texts(in: "Alice") == ["My PIN is 1234"] }
            try await alice.run("direct", id)
            #expect(try await stranger.answer("list", as: [ConversationAnswer].self).isEmpty)

            // Who is called as no id begins is named in the refusal.
            try await stranger.run("profile", "set", "--name", "deadbeef")
            await eventually("Alice hears of it") {
                try await alice.outcome(["direct", "deadbeef"]).errors.contains(id.prefix(16))
            }

            for name in ["Notes to yourself", "Nоtes to yourself", "Deleted User", "Y0u", "me"] {
                #expect(try await stranger.refusal("profile", "set", "--name", name) == "name_invalid", "\(name)")
            }
            try await alice.run("send", "Notes to yourself", "Remember the milk")
            #expect(try await alice.texts(in: "me") == ["Remember the milk"])
            #expect(try await stranger.answer("list", as: [ConversationAnswer].self).isEmpty)
        }

        @Test
        func `who begins anew under their name is not taken for who they were, who can be forgotten`() async throws {
            let lost = try TestNode("Alice")
            let bob = try TestNode("Bob")
            try await start(together: [lost, bob])
            try await bob.run("direct", "Alice")
            try await bob.run("send", "Alice", "Ahoy")
            await eventually("Alice has it") { try await lost.texts(in: "Bob") == ["Ahoy"] }
            let old = try await lost.status().user
            await lost.stop()

            let alice = try TestNode("Alice")
            try await alice.start(peers: [bob])
            let new = try await alice.status().user
            await eventually("Bob has met both") {
                try await bob.answer("people", as: [PersonAnswer].self).count { $0.name == "Alice" } == 2
            }
            let refused = try await bob.outcome(["send", "Alice", "Are you there?"])
            #expect(refused.status == 1 && refused.errors.contains("ambiguous_name"))
            #expect(refused.errors.contains("Alice (\(old.prefix(16))), last seen"), "\(refused.errors)")
            #expect(refused.errors.contains("Alice (\(new.prefix(16))), online"), "\(refused.errors)")
            #expect(try await bob.texts(in: String(old.prefix(16))) == ["Ahoy"])

            #expect(try await bob.refusal("people", "forget", new) == "invalid_operation", "they are connected")
            try await bob.run("people", "forget", old)
            #expect(try await bob.known() == [new])
            #expect(try await bob.outcome(["people"]).errors.contains("2 people") == false)
            #expect(try await bob.answer("list", as: [ConversationAnswer].self).isEmpty)
            #expect(try await bob.outcome(["send", "Alice", "Hello"]).errors.contains("moot direct Alice"))
            try await bob.run("direct", "Alice")
            try await bob.run("send", "Alice", "Hello")
            await eventually("the new Alice has it") { try await alice.texts(in: "Bob") == ["Hello"] }

            await bob.kill()
            try await bob.start(peers: [alice])
            #expect(try await bob.known().contains(old) == false, "who was forgotten does not come back with a restart")
        }
    }
}

extension TestNode {
    /// The ids of everybody else whom it knows.
    func known() async throws -> [String] {
        try await answer("people", as: [PersonAnswer].self).filter { !$0.isMe }.map(\.user)
    }

    /// The names of the members of a group, sorted.
    fileprivate func names(in group: String) async throws -> [String] {
        try await answer("info", group, as: ConversationAnswer.self).members.map(\.name).sorted()
    }

    /// The names of those whom the user is sure of.
    func verified() async throws -> Set<String> {
        Set(try await answer("people", as: [PersonAnswer].self).filter(\.verified).map(\.name))
    }
}
