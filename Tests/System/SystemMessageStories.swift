import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("System messages")
    struct SystemMessages {
        private struct Told: Decodable {
            let body: String
        }

        private struct Settings: Decodable, Equatable {
            let announcement: String
            let membersAdd: String

            enum CodingKeys: String, CodingKey {
                case announcement
                case membersAdd = "members-add"
            }
        }

        private struct SetGroup: Decodable {
            let settings: Settings
        }

        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Somebody whose node runs a program for every notification.
        private func notified(_ name: String) throws -> TestNode {
            let path = scratch.file("notify")
            let script = "#!/bin/sh\ncat >> \(scratch.file("told"))\necho >> \(scratch.file("told"))\n"
            try #require(
                FileManager.default.createFile(
                    atPath: path, contents: Data(script.utf8), attributes: [.posixPermissions: 0o700]))
            return try TestNode(name, options: TestNode.loopback + ["--notify-command", path])
        }

        /// What they were notified of so far.
        private func notifications() throws -> [String] {
            let content = FileManager.default.contents(atPath: scratch.file("told")) ?? Data()
            return try content.split(separator: UInt8(ascii: "\n")).map {
                try JSONDecoder().decode(Told.self, from: $0).body
            }
        }

        /// What a node shows of what happened to a group.
        private static func system(at node: TestNode, in group: String = ship) async throws -> [String] {
            try await node.messages(in: group).filter { $0.kind == "system" }.map(\.text)
        }

        /// How many operations of a type a node holds.
        private static func count(
            _ type: String, at node: TestNode, in group: String = ship
        ) async throws -> Int {
            try await node.answer("membership", "history", group, as: [LaneAnswer].self).filter { $0.type == type }
                .count
        }

        @Test
        func `whom two admins remove apart from each other is told once, and so is everybody else`() async throws {
            let (alice, bob, carol) = (try TestNode("Alice"), try TestNode("Bob"), try TestNode("Carol"))
            let dave = try notified("Dave")
            let everybody = [alice, bob, carol, dave]
            try await start(together: everybody)
            try await makeGroup(alice, [bob, carol, dave])
            await eventually("Dave is told that they are in") { try self.notifications().count == 1 }
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(
                ["Alice": "founder", "Bob": "admin", "Carol": "member", "Dave": "member"], at: everybody)

            // Each writes while nobody else is there; Dave hears of the later removal first.
            for node in [alice, carol, dave] { await node.stop() }
            try await bob.run("remove", ship, "Dave")
            await bob.stop()
            try await alice.start()
            try await alice.run("remove", ship, "Dave")
            try await dave.start(peers: [alice])
            let told = ["You were added to this group", "You were removed from Ship"]
            await eventually("Dave is told") { try self.notifications() == told }

            try await bob.start(peers: [alice, dave])
            try await carol.start(peers: [alice, bob])
            for node in everybody {
                await eventually("\(node.name) knows of both") { try await Self.count("remove", at: node) == 2 }
            }
            for node in [alice, bob, carol] {
                let removals = try await Self.system(at: node).filter { $0.hasSuffix("removed Dave") }
                #expect(removals == ["Bob removed Dave"], "\(node.name)")
            }
            #expect(try await Self.system(at: dave).filter { $0.contains("removed") } == ["You were removed from Ship"])
            // As long as a notification waits that grew.
            try await Task.sleep(for: .milliseconds(1_500))
            #expect(try notifications() == told)
        }

        @Test
        func `who takes over from the last admin is told so, and everybody reads it from then on`() async throws {
            let (alice, bob, carol) = (try TestNode("Alice"), try notified("Bob"), try TestNode("Carol"))
            try await start(together: [alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("leave", ship, "--force")
            await expectRoles(["Bob": "admin", "Carol": "member"], at: [bob, carol])
            await eventually("Bob is told") { try self.notifications().last == "You are now the group admin" }
            #expect(try await Self.count("ratify", at: carol) == 0, "only what Bob decides makes him admin for good")
            for node in [bob, carol] {
                let told = try await Self.system(at: node).suffix(2)
                #expect(told == ["Alice left the group", "Bob is now the group admin"], "\(node.name)")
            }
            await bob.stop()
            try await bob.start(peers: [carol])
            #expect(try await Self.system(at: bob).last == "Bob is now the group admin", "also after a restart")
            #expect(try notifications().filter { $0.hasSuffix("admin") }.count == 1)
        }

        @Test
        func `a creation is one event, and newcomers read of themselves and of nothing before`() async throws {
            let nodes = try ["Alice", "Bob", "Carol", "Dave", "Erin"].map { try TestNode($0) }
            let (alice, bob, carol) = (nodes[0], nodes[1], nodes[2])
            try await start(together: nodes)
            try await makeGroup(alice, [bob, carol])
            let creation = "Alice created the group \"Ship\""
            #expect(try await Self.system(at: alice) == [creation])
            for node in [bob, carol] {
                #expect(try await Self.system(at: node) == [creation, "You were added to this group"])
            }

            try await alice.run("remove", ship, "Carol")
            try await alice.run("add", ship, "Dave", "Erin")
            await eventually("Bob reads it in one line") {
                try await Self.system(at: bob).suffix(2) == ["Alice removed Carol", "Alice added 2 participants"]
            }
            for node in nodes[3...] {
                await eventually("\(node.name) reads that they are in, and no more") {
                    try await Self.system(at: node) == ["You were added to this group"]
                }
                #expect(try await Self.count("remove", at: node) == 1, "what was before is in the history")
            }
        }

        @Test
        func `a setting is told in words and can be read, and what is so already is not written again`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let fresh = Settings(announcement: "off", membersAdd: "moderators")
            #expect(try await bob.answer("info", ship, as: SetGroup.self).settings == fresh)
            let steps = [
                ("announcement", "on", "Alice lets only admins and moderators write"),
                ("announcement", "off", "Alice lets every member write"),
                ("members-add", "everyone", "Alice lets every member add people"),
                ("members-add", "moderators", "Alice lets only admins and moderators add people"),
            ]
            for (key, value, sentence) in steps {
                try await alice.run("set", ship, key, value)
                await eventually("Bob reads: \(sentence)") { try await Self.system(at: bob).last == sentence }
                let info = try await bob.run("info", ship)
                #expect(info.contains("(\(key) \(value))"), "\(info)")
            }
            #expect(try await bob.answer("info", ship, as: SetGroup.self).settings == fresh)

            let told = try await Self.system(at: alice)
            try await alice.run("rename", ship, ship)
            try await alice.run("set", ship, "announcement", "off")
            #expect(try await Self.count("set name", at: alice) == 1)
            #expect(try await Self.count("set announcement", at: alice) == 2)
            #expect(try await Self.system(at: alice) == told)
            #expect(try await carol.refusal("rename", ship, ship) == "insufficient_permissions")
        }

        @Test
        func `of two names given at the same time the timeline ends with the one that stays, or says so`() async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await expectRoles(["Alice": "founder", "Bob": "admin", "Carol": "member"], at: [alice, bob, carol])
            let id = try await alice.answer("info", ship, as: ConversationAnswer.self).id
            for node in [bob, carol] { await node.stop() }
            try await alice.run("rename", id, "Schooner")
            await alice.stop()
            try await bob.start()
            try await bob.run("rename", id, "Boat")
            try await alice.start(peers: [bob])
            try await carol.start(peers: [alice, bob])
            for node in [alice, bob, carol] {
                await eventually("\(node.name) knows of both") {
                    try await Self.count("set name", at: node, in: id) == 3
                }
                let name = try await node.title(of: id)
                let renamings = try await Self.system(at: node, in: id).filter { $0.contains("changed the group name") }
                #expect(renamings.count == 2, "\(renamings)")
                #expect(
                    renamings.last { !$0.hasSuffix(" (overruled)") }?.hasSuffix("\"\(name)\"") == true, "\(renamings)")
            }
        }
    }
}
