import Foundation
import PhotoFixtures
import Testing
import Waiting

extension Stories {
    /// What a node erases because its user wants messages kept for a time only.
    @Suite("Retention")
    struct Retention {
        private static let day = Duration.seconds(86_400)

        @Test
        func `what was kept for its time leaves the disk, and in the end no key opens it any more`() async throws {
            let library = try await Interposed("ShiftClock")
            let clock = try WallClock(library)
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start(environment: clock.environment)
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            try await bob.run("send", ship, "old, by Bob")
            try await alice.run("send", ship, "old, by Alice")
            for node in [alice, bob] {
                await eventually("\(node.name) reads both") { try await node.texts(in: ship).count == 2 }
            }
            for node in [alice, bob, carol] { await node.stop() }
            let old = try OpenedHome(of: alice)
            let bodies = old.bodies(of: ["old, by Bob", "old, by Alice"])
            #expect(bodies.count == 2)
            for body in bodies { #expect(try !alice.files(with: body).isEmpty) }

            // Ten days later their key is replaced; for the next message there is another epoch.
            try clock.set(ahead: Self.day * 10)
            try await alice.start(environment: clock.environment)
            let refusal = try await alice.refusal("keep", ship, "30")
            #expect(refusal == "invalid_request", "nothing is erased without a yes")
            try await alice.run("keep", ship, "30", "--yes")
            try await alice.run("send", ship, "ten days later")
            #expect(try await alice.texts(in: ship).count == 3)
            // Enough that pages of the index are split and merged.
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("keep", direct.id, "30", "--yes")
            for part in 1...3 {
                let lines = (1...300).map { "platypus\(part)x\($0) swims\n" }.joined()
                try await alice.run("send", direct.id, "--lines", input: lines)
                try await alice.run("send", direct.id, "platypus\(part) alone")
            }
            await eventually("the index has them") {
                try await alice.run("search", "platypus3").contains("platypus3 alone")
            }
            await alice.stop()

            try clock.set(ahead: Self.day * 35)
            try await alice.start(environment: clock.environment)
            await eventually("Alice's node erases what is 35 days old") {
                try await alice.texts(in: ship) == ["ten days later"]
            }
            #expect(try await alice.answer("info", ship, as: ConversationAnswer.self).keepDays == 30)
            await alice.stop()
            let aliceHome = try OpenedHome(of: alice)
            #expect(aliceHome.messages.values.count { $0.availability == 4 && $0.body == nil } == 2)
            #expect(aliceHome.texts(openedWith: [aliceHome]) == ["ten days later"])
            for body in bodies { #expect(try alice.files(with: body) == []) }
            let bobHome = try OpenedHome(of: bob)
            #expect(bobHome.texts(openedWith: [bobHome]) == ["old, by Bob", "old, by Alice"], "they keep them forever")
            #expect(
                bobHome.texts(openedWith: [aliceHome]) != [],
                "the secret to which the key was sealed is kept for 90 days")

            try clock.set(ahead: Self.day * 105)
            try await alice.start(environment: clock.environment)
            await eventually("Alice's node erases the rest") {
                let (here, there) = (try await alice.texts(in: ship), try await alice.texts(in: direct.id))
                return here.isEmpty && there.isEmpty
            }
            await eventually("none of the words is left") { try alice.files(with: Data("platypus".utf8)) == [] }
            await alice.stop()
            let late = try OpenedHome(of: alice)
            #expect(bobHome.texts(openedWith: [late]) == [], "with the secret gone, not even their rows help")

            // Whatever was erased, the log goes on where it was.
            try await bob.start()
            try await alice.start(peers: [bob], environment: clock.environment)
            await expectEqualDigests([alice, bob])
            try await alice.run("send", ship, "still here?")
            await eventually("Bob reads on") { try await bob.texts(in: ship).last == "still here?" }
        }

        @Test
        func `what was deleted for everybody leaves the disk, what others had written a day later`() async throws {
            let library = try await Interposed("ShiftClock")
            let clock = try WallClock(library)
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start(environment: clock.environment)
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice, bob])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])
            let own: MessageAnswer = try await bob.answer("send", ship, "taken back by Bob")
            let other: MessageAnswer = try await bob.answer("send", ship, "taken away by Alice")
            try await bob.run("edit", own.id, "once more taken back by Bob")
            try await bob.run("send", ship, "stays")
            await eventually("Alice has it all") { try await alice.texts(in: ship).last == "stays" }
            try await bob.run("delete", own.id)
            try await alice.run("delete", other.id)
            for node in [alice, bob] {
                await eventually("both are hidden") { try await node.texts(in: ship) == ["", "", "stays"] }
            }
            for node in [alice, bob, carol] { await node.stop() }
            let bobHome = try OpenedHome(of: bob)
            let taken = bobHome.bodies(of: ["taken back by Bob"]) + bobHome.bodies(of: ["taken away by Alice"])
            #expect(taken.count == 2)
            for body in taken { #expect(try !alice.files(with: body).isEmpty) }

            // A choice, whichever it is, makes the node look at once.
            try await alice.start(environment: clock.environment)
            try await alice.run("keep", ship, "forever")
            await eventually("what Bob took back is erased") { try alice.files(with: taken[0]) == [] }
            #expect(try !alice.files(with: taken[1]).isEmpty, "Alice may turn out to be no moderator")
            try clock.set(ahead: .seconds(25 * 3_600))
            try await alice.run("keep", ship, "forever")
            await eventually("what Alice took away is erased") { try alice.files(with: taken[1]) == [] }
            #expect(try await alice.texts(in: ship) == ["", "", "stays"], "that there was something stays")
            await alice.stop()
            let aliceHome = try OpenedHome(of: alice)
            #expect(aliceHome.messages.values.count { $0.availability == 3 && $0.body == nil } == 2)
            #expect(aliceHome.texts(openedWith: [aliceHome, bobHome]) == ["stays"])
        }

        @Test
        func `a group that somebody left is erased from their disk, and is there again when they are brought back`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            let scratch = try Scratch()
            let path = scratch.file("sails.bin")
            try Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: path))
            let picture = scratch.file("picture.jpg")
            try Data(JPEGFile.file(width: 64, height: 64) { _, _ in .red }).write(to: URL(filePath: picture))
            try await alice.run("photo", ship, picture)
            try await alice.run("send", ship, "Look", "--file", path)
            try await bob.run("send", ship, "Bob was here")
            await eventually("Bob has all of it") {
                let texts = try await bob.texts(in: ship)
                return try texts.last == "Bob was here" && bob.files().keys.count { $0.contains("/blobs/") } >= 3
            }
            try await bob.run("draft", ship, "Half a sentence")
            let id = try await bob.answer("info", ship, as: ConversationAnswer.self).id
            #expect(try await bob.refusal("erase", ship, "--yes") == "invalid_operation", "a member cannot")
            try await bob.run("leave", ship, "--yes")
            await eventually("Carol hears of it") {
                try await carol.answer("info", ship, as: ConversationAnswer.self).members.count == 2
            }
            #expect(try await bob.refusal("erase", ship) == "invalid_request", "nothing is erased without a yes")
            try await bob.run("erase", ship, "--yes")
            for text in [ship, id] { #expect(try await bob.refusal("info", text) == "conversation_not_found") }
            for command in [["list"], ["list", "--archived"], ["status"], ["verify"]] {
                #expect(try await !bob.outcome(command).output.contains(ship), "\(command)")
            }
            await eventually("its file is gone") {
                try bob.files().keys.filter { $0.contains("/blobs/") }.isEmpty
            }
            await bob.stop()
            let home = try OpenedHome(of: bob)
            #expect(home.messages.values.allSatisfy { $0.body == nil })
            #expect(home.texts(openedWith: [home]) == [])

            // After a start it is erased still, and goes on where it was when Alice brings Bob back.
            try await bob.start(peers: [alice])
            #expect(try await bob.refusal("info", id) == "conversation_not_found")
            #expect(try bob.files().keys.filter { $0.contains("/blobs/") }.isEmpty, "nothing is fetched again")
            await expectFullMesh([alice, bob, carol])
            try await alice.run("add", ship, "Bob")
            try await alice.run("send", ship, "Welcome back")
            await eventually("Bob reads what was written since") {
                try await bob.texts(in: id).last == "Welcome back"
            }
            try await bob.run("send", ship, "Here again")
            await eventually("Carol reads on") { try await carol.texts(in: ship).last == "Here again" }
            await expectEqualDigests([alice, bob, carol])
            #expect(try await bob.texts(in: ship).filter { !$0.isEmpty } == ["Welcome back", "Here again"])
        }
    }
}
