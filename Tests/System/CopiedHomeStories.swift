import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("A copied home")
    struct CopiedHome {
        @Test
        func `stops writing when others show what the other copy wrote, and goes on when its user says so`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            try await bob.run("send", ship, "before the backup")

            await bob.stop()
            let scratch = try Scratch()
            let backup = scratch.file("backup")
            try FileManager.default.copyItem(atPath: bob.home, toPath: backup)
            try await bob.start(peers: [alice, carol])
            try await bob.run("send", ship, "after the backup")
            await eventually("Alice has it") { try await alice.texts(in: ship).contains("after the backup") }
            await bob.stop()

            let restored = try TestNode("Bob", home: backup)
            try await restored.start(peers: [alice, carol])
            await eventually("the node notices it") { try await restored.status().storage.contains("another copy") }
            #expect(try await restored.refusal("send", ship, "under the same number") == "home_copied")
            let status = try await restored.outcome(["status"])
            #expect(status.errors.contains("--only-copy"), "it says what to do: \(status.errors)")
            await eventually("it still reads") { try await restored.texts(in: ship).contains("after the backup") }
            await restored.stop()
            try await restored.start(peers: [alice, carol])
            #expect(try await restored.refusal("send", ship, "after a restart") == "home_copied")
            await restored.stop()

            let confirmed = try TestNode("Bob", home: backup, options: TestNode.loopback + ["--only-copy"])
            try await confirmed.start(peers: [alice, carol])
            try await confirmed.run("send", ship, "the only one again")
            let shown = try await expectEqualReplicas([alice, confirmed, carol])
            #expect(shown.map(\.text) == ["before the backup", "after the backup", "the only one again"])
        }

        @Test
        func `a device of which two copies wrote is told in words, and nothing of either is lost`() async throws {
            let (alice, bob, conversation) = try await couple()
            await bob.stop()
            let scratch = try Scratch()
            let backup = scratch.file("backup")
            try FileManager.default.copyItem(atPath: bob.home, toPath: backup)
            try await bob.start(peers: [alice])
            try await bob.run("send", conversation, "one")
            await eventually("Alice has it") { try await alice.texts(in: conversation) == ["one"] }
            await bob.stop()
            #expect(try await !alice.run("status").contains("two copies"))

            let copy = try TestNode("Bob", home: backup)
            try await copy.start()
            try await copy.run("send", conversation, "two")
            await copy.stop()
            try await copy.start(peers: [alice])
            await eventually("Alice has both") { try await Set(alice.texts(in: conversation)) == ["one", "two"] }
            let status = try await alice.run("status")
            #expect(
                status.contains("forked     Bob, on ") && status.contains("two copies of one home wrote"), "\(status)")
            let log = await alice.log
            let told = log.split(separator: "\n").filter { $0.contains("forked its chain") }
            #expect(told.count == 1 && !told[0].contains("Bob"), "a log names nobody")
            await copy.stop()
        }
    }
}
