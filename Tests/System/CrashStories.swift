import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Crashes")
    struct Crashes {
        @Test
        func `what a command reported as sent survives the author's sudden death`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            var reported: [String] = []
            for round in 1...8 {
                for part in 1...3 {
                    let text = "round \(round), part \(part)"
                    try await alice.run("send", ship, text)
                    reported.append(text)
                }
                await alice.kill()
                try await alice.start(peers: [bob, carol])
                #expect(try await alice.texts(in: ship) == reported, "nothing reported as sent is lost")
            }
            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(shown.map(\.text) == reported)
        }

        @Test
        func `a node killed while it writes as fast as it can keeps every message it reported`() async throws {
            let alice = try TestNode("Alice")
            let bob = try TestNode("Bob")
            let carol = try TestNode("Carol")
            try await alice.start()
            try await bob.start(peers: [alice])
            try await carol.start(peers: [alice])
            await expectFullMesh([alice, bob, carol])
            try await makeGroup(alice, [bob, carol])

            // Several writers at once, and death in the middle: a command that failed may or may not have sent.
            let reported = await withTaskGroup(of: [String].self) { group in
                for writer in 1...3 {
                    group.addTask {
                        var sent: [String] = []
                        for number in 1... {
                            let text = "writer \(writer), message \(number)"
                            guard let outcome = try? await alice.outcome(["send", ship, text]), outcome.status == 0
                            else { break }
                            sent.append(text)
                        }
                        return sent
                    }
                }
                await eventually("some messages have arrived") { try await bob.texts(in: ship).count > 10 }
                await alice.kill()
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(reported.count > 10)

            try await alice.start(peers: [bob, carol])
            let kept = Set(try await alice.texts(in: ship))
            #expect(kept.isSuperset(of: reported), "lost: \(Set(reported).subtracting(kept).sorted())")
            let shown = try await expectEqualReplicas([alice, bob, carol])
            #expect(Set(shown.map(\.text)).isSuperset(of: reported))
            #expect(Set(shown.map(\.text)).count == shown.count, "nothing is there twice")
        }

        @Test
        func `who watches a node is told that it died`() async throws {
            let alice = try TestNode("Alice")
            try await alice.start()
            let scratch = try Scratch()
            let watch = try Program(
                [TestNode.moot, "watch", "--home", alice.home], output: scratch.file("out"), errors: scratch.file("err")
            )
            defer { watch.signal(SIGKILL) }
            await eventually("it watches") { watch.errors.contains("Watching") }
            await alice.kill()
            let outcome = await watch.ended()
            #expect(outcome.status == 75)
            #expect(outcome.errors.contains("network_error"))
        }
    }
}
