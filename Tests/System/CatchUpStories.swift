import Testing
import Waiting

extension Stories {
    @Suite("Catching up")
    struct CatchUp {
        private static let count = 20_000

        @Test
        func `a late third node receives 20,000 messages, all of them, in order`() async throws {
            let (alice, bob, carol) = try await Self.groupWithoutCarol()
            try await Self.write(from: alice)
            try await carol.start(peers: [alice, bob])
            try await Self.expectEverything(at: carol)
            await expectEqualDigests([alice, bob, carol])
        }

        @Test(arguments: [freshSeed])
        func `a node killed again and again in the middle of catching up gets there all the same`(seed: UInt64)
            async throws
        {
            let (alice, bob, carol) = try await Self.groupWithoutCarol()
            try await Self.write(from: alice)

            var random = SeededGenerator(seed: seed)
            for _ in 1...6 {
                try await carol.launch(
                    TestNode.loopback + ["--peer", try await alice.address, "--peer", try await bob.address])
                let pause = Duration.milliseconds(Int.random(in: 100...500, using: &random))
                try await Task.sleep(for: pause)
                await carol.kill()
            }
            try await carol.start(peers: [alice, bob])
            try await Self.expectEverything(at: carol)
            await expectEqualDigests([alice, bob, carol])
        }

        @Test(arguments: [freshSeed])
        func `when the node they learn from dies or freezes, Carol gets the rest from another`(seed: UInt64)
            async throws
        {
            let (alice, bob, carol) = try await Self.groupWithoutCarol()
            try await Self.write(from: alice)
            await expectEqualDigests([alice, bob])

            var random = SeededGenerator(seed: seed)
            try await carol.launch(
                TestNode.loopback + ["--peer", try await alice.address, "--peer", try await bob.address])
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...400, using: &random)))
            let dies = Bool.random(using: &random)
            if dies { await alice.kill() } else { await alice.freeze() }
            try await Self.expectEverything(at: carol)
            guard !dies else { return }

            await alice.thaw()
            try await bob.run("send", ship, "Back again, Alice?")
            await expectEqualDigests([alice, bob, carol])
        }

        /// Alice and Bob run; Carol is in the group and has gone. Both know Alice: a group of somebody unknown has less
        /// room.
        private static func groupWithoutCarol() async throws -> (TestNode, TestNode, TestNode) {
            let (alice, bob, carol) = try await groupOfThree()
            for node in [bob, carol] { try await node.run("people", "verify", "Alice", "--matches") }
            await carol.stop()
            return (alice, bob, carol)
        }

        private static let texts = (1...count).map { "message \($0)" }

        private static func write(from node: TestNode) async throws {
            try await node.run("send", ship, "--lines", input: texts.joined(separator: "\n") + "\n")
        }

        private static func expectEverything(at node: TestNode) async throws {
            await eventually("\(node.name) has everything", within: .seconds(90)) {
                try await node.status().conversations.contains { $0.title == ship && $0.operations > count }
            }
            let received = try await node.texts(in: ship)
            #expect(received.count == count)
            #expect(received == texts, "all messages, in the order they were sent")
        }
    }
}
