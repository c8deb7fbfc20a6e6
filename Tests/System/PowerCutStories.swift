import Testing

extension Stories {
    @Suite("Power cuts")
    struct PowerCuts {
        @Test(arguments: KillPoints.rounds)
        func `whatever a node was writing when its power was cut, it has all that it acknowledged`(points: KillPoints)
            async throws
        {
            print("power cuts: \(points)")
            var random = SeededGenerator(seed: points.seed ^ UInt64(points.round) << 32)
            let library = try await Interposed("CutWrites")
            let bob = try TestNode("Bob")
            try await bob.start()

            // A crash in the middle of the first start leaves a home that can be started again.
            let firstStart = try await calls(
                in: DoomedNode("Probe", peer: bob, library: library, seed: random.next()), .start)
            for cut in points.cuts(15, before: firstStart, using: &random) {
                let alice = try DoomedNode("Alice", peer: bob, library: library, seed: random.next())
                try await cutShort(alice, .start, cut)
            }
            await bob.stop()

            // One node dies at all other points, and each of its lives begins with what the last one left.
            let carol = try TestNode("Carol")
            let dave = try TestNode("Dave")
            try await carol.start()
            try await dave.start(peers: [carol])
            let alice = try DoomedNode("Alice", peer: carol, library: library, seed: random.next())
            try await alice.node.start(peers: [carol, dave])
            await expectFullMesh([alice.node, carol, dave])
            try await makeGroup(alice.node, [carol, dave])
            await dave.stop()
            let groups: [ConversationAnswer] = try await alice.node.answer("list")
            try await alice.adopt(try #require(groups.first).id)
            for (number, cut) in points.cuts(20, before: 600, using: &random).shuffled(using: &random).enumerated() {
                // What they missed is written as they come back.
                try await carol.run("send", ship, "message \(number) while Alice was gone")
                try await cutShort(alice, .write, cut)
            }
            let stop = try await calls(in: alice, .stop)
            for cut in points.cuts(15, before: stop, using: &random) {
                try await cutShort(alice, .stop, cut)
            }
            await carol.stop()
        }

        /// Ends a node at the cut, at an earlier one if it stopped before that, and expects that it recovers.
        private func cutShort(_ node: DoomedNode, _ occupation: DoomedNode.Occupation, _ cut: PowerCut) async throws {
            var cut = cut
            var outcome = try await node.live(occupation, until: cut)
            while outcome.status == 0, let calls = PowerCut.calls(in: outcome.errors) {
                cut.call = max(1, calls * 9 / 10)
                outcome = try await node.live(occupation, until: cut)
            }
            let issues = "\(cut): \(outcome.errors)"
            try #require(outcome.status == PowerCut.status, "\(issues)")
            // The write-ahead log of who writes is left to grow, over the size at which it is carried to the database.
            try await node.recover(after: issues, thenStopping: occupation != .write && cut.seed % 2 == 0)
        }

        /// How many calls a node makes that nothing happens to.
        private func calls(in node: DoomedNode, _ occupation: DoomedNode.Occupation) async throws -> Int {
            let outcome = try await node.live(occupation, until: PowerCut())
            return try #require(PowerCut.calls(in: outcome.errors), "\(outcome.errors)")
        }
    }
}
