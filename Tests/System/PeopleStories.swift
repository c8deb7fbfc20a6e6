import Foundation
import Testing

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
            #expect(outcome.errors.contains("Nobody answers at \(address)"))
            await alice.stop()
            try await alice.start()
            let awake = try TestNode("Bob", home: bob.home, options: ["--listen", address, "--no-discovery"])
            try await awake.start()
            await expectFullMesh([alice, awake])
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
            let refused = try await alice.outcome(["direct", "Bob", "--json"])
            #expect(refused.errors.contains("ambiguous_name"))
            #expect(ids.allSatisfy { refused.errors.contains($0.prefix(8)) })
            try await alice.run("direct", String(ids[0].prefix(8)))
        }
    }
}

extension TestNode {
    /// The names of those whom the user is sure of.
    func verified() async throws -> Set<String> {
        Set(try await answer("people", as: [PersonAnswer].self).filter(\.verified).map(\.name))
    }
}
