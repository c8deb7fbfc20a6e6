import Testing
import Waiting

extension Stories {
    @Suite("Ending one's identity")
    struct Deletion {
        private let person: Respondent

        init() throws { person = try Respondent() }

        /// A person as a node shows them, by id.
        private func shown(_ user: String, at node: TestNode) async throws -> PersonAnswer {
            let people: [PersonAnswer] = try await node.answer("people")
            return try #require(people.first { $0.user == user })
        }

        /// Waits until a node shows a person as one who ended their identity.
        private func expectDeleted(_ user: String, at node: TestNode) async {
            await eventually("\(node.name) is told", within: .seconds(40)) {
                let person = try await shown(user, at: node)
                return person.deleted && person.name == "Deleted User" && person.photo == nil
            }
        }

        @Test
        func `who ends their identity is Deleted User to everybody, also to who was away, and cannot be added again`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            let user = try await bob.status().user
            try await bob.run("send", ship, "before the end")
            for node in [alice, carol] {
                await eventually("\(node.name) has it") { try await node.texts(in: ship) == ["before the end"] }
            }
            await carol.stop()

            #expect(try await bob.refusal("profile", "delete") == "invalid_request", "a script says --yes")
            #expect(try await shown(user, at: bob).name == "Bob")
            try await bob.run("profile", "delete", "--yes")
            await expectDeleted(user, at: alice)
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [alice])
            let read = try await alice.run("read", ship)
            #expect(read.contains("Deleted User: before the end"), "\(read)")
            #expect(read.contains("Deleted User left the group"), "\(read)")
            #expect(!read.contains("Bob"), "\(read)")

            // Carol hears it of Alice: Bob's node is gone.
            await bob.stop()
            try await carol.start(peers: [alice])
            await expectDeleted(user, at: carol)
            await expectRoles(["Alice": "founder", "Carol": "member"], at: [carol])

            for _ in 1...2 {
                #expect(try await alice.refusal("add", ship, user) == "deleted_person")
                #expect(try await alice.refusal("invite", ship, user) == "deleted_person")
                #expect(try await alice.refusal("create", "Boat", user, "Carol") == "deleted_person")
                #expect(try await carol.refusal("direct", user) == "deleted_person")
                #expect(try await carol.refusal("people", "forget", user) == "deleted_person")
                // Once more after sudden death.
                await alice.kill()
                try await alice.start(peers: [carol])
                await expectFullMesh([alice, carol])
                await expectDeleted(user, at: alice)
            }
        }

        @Test
        func `a node whose user ended their identity says so when it starts, reads on, and writes nothing`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            let user = try await bob.status().user
            try await bob.run("direct", "Alice")
            try await bob.run("send", "Alice", "between us")
            try await bob.run("send", ship, "before the end")
            await eventually("Alice has it") { try await alice.texts(in: ship) == ["before the end"] }
            await eventually("Alice has the other, too") { try await alice.texts(in: user) == ["between us"] }
            try await bob.run("profile", "delete", "--yes")
            try await bob.run("profile", "delete", "--yes")
            for node in [alice, carol] { await expectDeleted(user, at: node) }
            await bob.stop()

            let started = try await bob.launch(TestNode.loopback)
            await eventually("it says so") { started.output.contains("your identity is deleted") }
            #expect(try await bob.status().storage.contains("deleted your identity"))
            #expect(try await bob.texts(in: ship) == ["before the end"])
            for command in [
                ["send", ship, "hello"], ["send", "Alice", "hello"], ["create", "Boat", "Alice", "Carol"],
                ["direct", "Carol"], ["leave", ship, "--yes"], ["rename", ship, "Boat"], ["add", ship, "Carol"],
                ["profile", "set", "--name", "Robert"],
            ] {
                let outcome = try await bob.outcome(command + ["--json"])
                #expect(outcome.status == 1 && outcome.errors.contains("identity_deleted"), "\(outcome.errors)")
            }
            let me: PersonAnswer = try await shown(user, at: bob)
            #expect(me.isMe && me.deleted && me.name == "Deleted User")

            // Nobody writes to who is no more.
            #expect(try await alice.refusal("send", user, "Are you there?") == "deleted_person")
        }

        @Test
        func `at a terminal they are asked twice, and who hesitates stays who they are`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let (first, second) = ("Are you sure you want to delete your identity, Alice?", "This is permanent")
            for answers in [[(first, "n")], [(first, "y"), (second, "")]] {
                let outcome = try await person.run(["profile", "delete"], of: alice, answering: answers)
                #expect(outcome.status == 1 && outcome.errors.contains("You stay Alice."), "\(outcome.errors)")
                #expect(try await alice.people(named: "Alice").map(\.deleted) == [false])
            }
            let outcome = try await person.run(
                ["profile", "delete"], of: alice, answering: [(first, "y"), (second, "yes")])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try await alice.people(named: "Deleted User").map(\.isMe) == [true])
        }
    }
}

extension TestNode {
    /// Everybody who is called so.
    fileprivate func people(named name: String) async throws -> [PersonAnswer] {
        try await answer("people", as: [PersonAnswer].self).filter { $0.name == name }
    }
}
