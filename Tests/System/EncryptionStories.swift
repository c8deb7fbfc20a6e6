import Foundation
import Testing
import Waiting

extension Stories {
    /// Who can read what, asked of the files the nodes leave behind.
    @Suite("Encryption")
    struct Encryption {
        private struct GapPage: Decodable {
            struct Source: Decodable {
                let name: String
                let author: Bool
                let reachable: Bool
            }

            struct Gap: Decodable {
                let sources: [Source]
            }

            struct Message: Decodable {
                let gap: Gap?
            }

            let messages: [Message]
        }

        @Test
        func `a removed member's replica holds nothing sent after`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await Self.meet([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "before")
            await expectTexts(["before"], at: [bob, carol])

            try await alice.run("remove", ship, "Carol")
            await expectRoles(["Alice": "founder", "Bob": "member"], at: [alice, bob])
            #expect(try await alice.peers() == ["Bob", "Carol"], "they are still there and could be sent anything")
            try await alice.run("send", ship, "Alice, after")
            try await bob.run("send", ship, "Bob, after")
            await expectTexts(["before", "Alice, after", "Bob, after"], at: [alice, bob])
            try await Self.expectArrivals(from: [alice, bob], at: carol)
            // Once more from the beginning: what is pushed and what is caught up with go different ways.
            await carol.stop()
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])
            try await Self.expectArrivals(from: [alice, bob], at: carol)
            #expect(try await carol.texts(in: ship) == ["before"])
            for node in [alice, bob, carol] { await node.stop() }

            let carolHome = try OpenedHome(of: carol)
            let bobHome = try OpenedHome(of: bob)
            let after: Set = ["Alice, after", "Bob, after"]
            #expect(bobHome.texts(openedWith: [bobHome]) == after.union(["before"]))
            #expect(
                bobHome.texts(openedWith: [carolHome]) == ["before"],
                "even with their rows they open no more than they had")
            #expect(
                carolHome.texts(openedWith: [carolHome, bobHome]) == ["before"],
                "even with their keys there is no more to open")
            #expect(carolHome.messages.values.count { $0.body != nil } == 1)
            try Self.expect(bobHome.bodies(of: after), count: 2, inNoFileOf: carol)
        }

        @Test
        func `a newcomer's replica holds nothing older than their join`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            try await Self.meet([alice, bob, carol, dave])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "Alice, before")
            try await bob.run("send", ship, "Bob, before")
            let before = ["Alice, before", "Bob, before"]
            await expectTexts(before, at: [alice, bob, carol])

            try await alice.run("add", ship, "Dave")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"],
                at: [alice, bob, carol, dave])
            try await alice.run("send", ship, "Alice, after")
            try await bob.run("send", ship, "Bob, after")
            await expectTexts(["Alice, after", "Bob, after"], at: [dave])
            #expect(try await dave.answer("info", ship, as: ConversationAnswer.self).unread == 2)
            try await dave.run("send", ship, "Dave, after")
            let after = ["Alice, after", "Bob, after", "Dave, after"]
            await expectTexts(before + after, at: [alice, bob, carol])

            await dave.stop()
            try await bob.run("send", ship, "Dave slept")
            try await dave.start(peers: [alice, bob, carol])
            await expectTexts(after + ["Dave slept"], at: [dave])
            await expectEqualDigests([alice, bob, carol, dave])
            #expect(try await dave.answer("info", ship, as: ConversationAnswer.self).unread == 3)
            let shown = try await dave.run("read", ship)
            #expect(!shown.contains("before") && shown.contains("Alice, after"), "\(shown)")
            for node in [alice, bob, carol, dave] { await node.stop() }

            let daveHome = try OpenedHome(of: dave)
            let aliceHome = try OpenedHome(of: alice)
            #expect(daveHome.messages.count == 6, "who wrote when is no secret")
            let closed = daveHome.messages.values.filter { $0.availability == 1 }
            #expect(closed.count == 2)
            #expect(closed.allSatisfy { $0.body == nil })
            #expect(daveHome.messages.values.filter { $0.availability == 0 && $0.body != nil }.count == 4)
            #expect(aliceHome.texts(openedWith: [aliceHome]) == Set(before + after + ["Dave slept"]))
            #expect(aliceHome.texts(openedWith: [daveHome]) == Set(after + ["Dave slept"]))
            try Self.expect(aliceHome.bodies(of: Set(before)), count: 2, inNoFileOf: dave)
        }

        @Test
        func `no text can be found in any file`() async throws {
            let options = TestNode.loopback + ["--log-level", "trace", "--search-index", "off"]
            let alice = try TestNode("Alice", options: options)
            let bob = try TestNode("Bob", options: options)
            let carol = try TestNode("Carol", options: options)
            let everybody = [alice, bob, carol]
            try await Self.meet(everybody)
            try await makeGroup(alice, [bob, carol])
            let word = Self.freshWord()
            let name = Self.freshWord()
            // The name of a group is for everybody who is ever in it: that it is found shows that the search finds.
            try await alice.run("rename", ship, name)
            for node in everybody {
                await eventually("\(node.name) knows the new name") {
                    try await node.answer("list", as: [ConversationAnswer].self).map(\.title) == [name]
                }
                try await node.run("send", name, "\(node.name) says \(word)")
            }
            try await alice.run("send", name, "--lines", input: (1...50).map { "\(word) \($0)\n" }.joined())
            for node in everybody {
                await eventually("\(node.name) reads everything") {
                    try await node.texts(in: name).count { $0.contains(word) } == 53
                }
                try await node.run("mark-read", name)
            }
            // A killed node leaves its write-ahead log behind.
            await carol.kill()
            for node in everybody { try Self.expect(word, butNot: name, inNoFileOf: node) }

            try await carol.start(peers: [alice])
            await bob.stop()
            try await bob.start(peers: [alice, carol])
            await expectFullMesh(everybody)
            try await bob.run("send", name, "\(word) again")
            for node in everybody {
                await eventually("\(node.name) reads it all again") {
                    try await node.texts(in: name).count { $0.contains(word) } == 54
                }
            }
            for node in everybody { try Self.expect(word, butNot: name, inNoFileOf: node) }
            for node in everybody { await node.stop() }
            for node in everybody {
                try Self.expect(word, butNot: name, inNoFileOf: node)
                let home = try OpenedHome(of: node)
                #expect(home.texts(openedWith: [home]).count { $0.contains(word) } == 54, "it is there for its owner")
                #expect(home.secrets.count >= 6, "a wrap key and an epoch's key, each in three spellings")
                for secret in home.secrets { #expect(try node.files(with: secret) == []) }
            }
        }

        @Test
        func `messages reach a member through somebody who may not read them`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            try await Self.meet([alice, bob, carol, dave])
            try await makeGroup(alice, [bob, carol])
            try await alice.run("send", ship, "first")
            await expectTexts(["first"], at: [bob, carol])
            // Else Dave forgets the names of people with whom they share nothing when they go.
            for name in ["Bob", "Carol"] { try await dave.run("people", "verify", name, "--matches") }
            await bob.stop()
            await carol.stop()
            try await alice.run("send", ship, "while Carol sleeps")
            try await alice.run("add", ship, "Dave")
            await expectRoles(
                ["Alice": "founder", "Bob": "member", "Carol": "member", "Dave": "member"], at: [alice, dave])
            await expectEqualDigests([alice, dave])
            await alice.stop()

            // Dave has the header, which Alice signed, and nothing to put under it.
            try await carol.start(peers: [dave])
            await Self.expectMessages(["open", "wanted"], at: carol)
            #expect(try await carol.texts(in: ship) == ["first", ""])
            // The place says who can fill it; Dave, whom it was not for, is none of them.
            let gap = "not here yet: Alice (who wrote it) and Bob could fill the gap and are not reachable now"
            #expect(try await carol.run("read", ship).contains("(\(gap))"))
            #expect(try await carol.run("verify").contains(gap))
            let sources = try await carol.answer("read", ship, as: GapPage.self).messages.compactMap(\.gap).flatMap(
                \.sources)
            #expect(sources.map(\.name) == ["Alice", "Bob"])
            #expect(sources.map(\.author) == [true, false] && sources.allSatisfy { !$0.reachable })
            await carol.kill()
            try await carol.start(peers: [dave])
            await Self.expectMessages(["open", "wanted"], at: carol)
            try await dave.run("send", ship, "from Dave")
            await Self.expectMessages(["open", "wanted", "open"], at: carol)

            try await alice.start(peers: [carol])
            await expectTexts(["first", "while Carol sleeps", "from Dave"], at: [alice, carol])
            #expect(try await dave.texts(in: ship) == ["from Dave"])
            await Self.expectMessages(["open", "open", "open"], at: carol)
            for node in [alice, carol, dave] { await node.stop() }

            let carolHome = try OpenedHome(of: carol)
            let daveHome = try OpenedHome(of: dave)
            #expect(carolHome.messages.values.allSatisfy { $0.availability == 0 && $0.body != nil })
            #expect(carolHome.texts(openedWith: [daveHome]) == ["from Dave"])
            try Self.expect(carolHome.bodies(of: ["first", "while Carol sleeps"]), count: 2, inNoFileOf: dave)
        }

        @Test
        func `two people removed on two sides of a cut cannot read on together when it heals`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            let xaver = try TestNode("Xaver")
            let yves = try TestNode("Yves")
            let everybody = [alice, bob, carol, xaver, yves]
            try await Self.meet(everybody)
            try await makeGroup(alice, [bob, carol, xaver, yves])
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            let roles = ["Alice": "founder", "Bob": "admin", "Carol": "member"]
            await expectRoles(roles.merging(["Xaver": "member", "Yves": "member"]) { $1 }, at: everybody)
            try await bob.run("send", ship, "before")
            await expectTexts(["before"], at: everybody)

            // Every node listens at a new port when it starts again, so that nobody finds the other side.
            for node in everybody { await node.stop() }
            try await Self.meet([alice, carol, yves])
            try await Self.meet([bob, xaver])
            try await alice.run("remove", ship, "Xaver")
            try await bob.run("remove", ship, "Yves")
            await expectRoles(roles.merging(["Yves": "member"]) { $1 }, at: [alice, carol, yves])
            await expectRoles(roles.merging(["Xaver": "member"]) { $1 }, at: [bob, xaver])
            try await alice.run("send", ship, "without Xaver")
            try await bob.run("send", ship, "without Yves")
            await expectTexts(["before", "without Xaver"], at: [alice, carol, yves])
            await expectTexts(["before", "without Yves"], at: [bob, xaver])

            let code = try await bob.run("whoami", "--code").trimmingCharacters(in: .whitespacesAndNewlines)
            try await alice.run("people", "add", code)
            await expectFullMesh(everybody)
            await expectRoles(roles, at: [alice, bob, carol])
            let together: Set = ["before", "without Xaver", "without Yves"]
            for node in [alice, bob, carol] {
                await eventually("\(node.name) reads what both sides wrote") {
                    Set(try await node.texts(in: ship)) == together
                }
            }
            let after: Set = ["Carol, after", "Bob, after", "Alice, after"]
            for node in [carol, bob, alice] { try await node.run("send", ship, "\(node.name), after") }
            for node in [alice, bob, carol] {
                await eventually("\(node.name) reads on") {
                    Set(try await node.texts(in: ship)) == together.union(after)
                }
            }
            try await Self.expectArrivals(from: [alice, bob], at: xaver)
            try await Self.expectArrivals(from: [alice, bob], at: yves)
            for node in everybody { await node.stop() }

            let carolHome = try OpenedHome(of: carol)
            let removed = [try OpenedHome(of: xaver), try OpenedHome(of: yves)]
            #expect(carolHome.texts(openedWith: [carolHome]) == together.union(after))
            #expect(carolHome.texts(openedWith: [removed[0]]) == ["before", "without Yves"])
            #expect(carolHome.texts(openedWith: [removed[1]]) == ["before", "without Xaver"])
            #expect(carolHome.texts(openedWith: removed) == together, "together they have what each of them had")
            for node in [xaver, yves] { try Self.expect(carolHome.bodies(of: after), count: 3, inNoFileOf: node) }
        }

        /// Starts nodes and waits until each is connected to each.
        private static func meet(_ nodes: [TestNode]) async throws {
            for (index, node) in nodes.enumerated() { try await node.start(peers: Array(nodes[..<index])) }
            await expectFullMesh(nodes)
        }

        /// Waits until something else that others wrote just now has come to a node: what they would have sent it
        /// before has then come as well.
        private static func expectArrivals(from others: [TestNode], at node: TestNode) async throws {
            for other in others {
                let direct: ConversationAnswer = try await other.answer("direct", node.name)
                let text = freshWord()
                try await other.run("send", direct.id, text)
                await eventually("\(node.name) hears from \(other.name)") {
                    try await node.texts(in: direct.id).contains(text)
                }
            }
        }

        /// Waits until a node shows messages of these readabilities, in this order.
        private static func expectMessages(
            _ readabilities: [String], at node: TestNode, sourceLocation: SourceLocation = #_sourceLocation
        ) async {
            await eventually("\(node.name) shows \(readabilities)", sourceLocation: sourceLocation) {
                try await node.messages(in: ship).filter { $0.kind == "text" }.map(\.readability) == readabilities
            }
        }

        /// Expects that a word is in no file of a node, while another one is, so that the search is known to work.
        private static func expect(
            _ word: String, butNot plain: String, inNoFileOf node: TestNode,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(try node.files(with: Data(word.utf8)) == [], sourceLocation: sourceLocation)
            #expect(try !node.files(with: Data(plain.utf8)).isEmpty, sourceLocation: sourceLocation)
        }

        /// Expects that there are so many bodies, and none of them in a file of a node.
        private static func expect(
            _ bodies: [Data], count: Int, inNoFileOf node: TestNode, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            #expect(bodies.count == count, sourceLocation: sourceLocation)
            for body in bodies { #expect(try node.files(with: body) == [], sourceLocation: sourceLocation) }
        }

        /// A word that is nowhere else.
        private static func freshWord() -> String {
            "word" + (1...4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        }
    }
}

/// Waits until nodes show these texts, in this order.
private func expectTexts(
    _ texts: [String], at nodes: [TestNode], sourceLocation: SourceLocation = #_sourceLocation
) async {
    for node in nodes {
        await eventually("\(node.name) reads \(texts)", sourceLocation: sourceLocation) {
            try await node.texts(in: ship) == texts
        }
    }
}
