import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Backup and restore")
    struct Backups {
        private let scratch: Scratch
        private let backup: String
        private let secret: String

        init() throws {
            scratch = try Scratch()
            backup = scratch.file("bob.backup")
            let file = scratch.file("passphrase")
            try "correct horse battery\n".write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            secret = file
        }

        @Test
        func
            `whoever loses their disk goes on as the same person, on a new device that contradicts nothing of the old`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            let tides = scratch.file("tides.txt")
            try "high water 06:12".write(toFile: tides, atomically: true, encoding: .utf8)
            try await bob.run("send", ship, "before the backup")
            try await bob.run("send", ship, "--file", tides)
            try await bob.run("backup", backup, "--passphrase-file", secret)
            #expect(
                try await bob.run("backup", "--verify", backup, "--passphrase-file", secret).contains(
                    "The backup is whole."))
            try await bob.run("send", ship, "after the backup")
            for other in [alice, carol] {
                await eventually("\(other.name) has it") {
                    try await other.texts(in: ship).contains("after the backup")
                }
            }
            await bob.stop()

            let home = scratch.file("new disk/moot")
            let restored = try TestNode("Bob", home: home)
            #expect(try await restored.run("restore", backup, "--passphrase-file", secret).isEmpty)
            try await restored.start()
            #expect(try await restored.texts(in: ship).contains("before the backup"), "it reads at once")
            #expect(try await restored.refusal("send", ship, "too early") == "not_certified")
            await restored.stop()

            try await restored.start(peers: [alice, carol])
            await eventually("somebody who knows Bob was met") {
                try await restored.status().storage == "writable"
            }
            try await restored.run("send", ship, "on the new disk")
            try await expectEqualReplicas([alice, restored, carol])
            await eventually("all have it") {
                try await alice.texts(in: ship).suffix(2) == ["after the backup", "on the new disk"]
            }
            #expect(try await restored.texts(in: ship).contains("after the backup"), "it has the old device's key")
            #expect(try await !alice.run("status").contains("forked"))
            let devices = try await restored.answer("devices", as: [DeviceAnswer].self)
            #expect(devices.map(\.state) == ["active", "retired"], "it took the old one's place")
            let saved = scratch.file("saved")
            try FileManager.default.createDirectory(atPath: saved, withIntermediateDirectories: true)
            try await restored.run("files", ship, "--save", saved)
            #expect(try String(contentsOfFile: saved + "/tides.txt", encoding: .utf8) == "high water 06:12")
            await restored.stop()
            try await restored.start(peers: [alice, carol])
            try await restored.run("send", ship, "and after another start")
        }

        @Test
        func `a home behind a link, as systemd has that of a service, is backed up and looked at while its node runs`()
            async throws
        {
            let link = scratch.file("bob")
            try FileManager.default.createDirectory(
                atPath: scratch.file("private/bob"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "private/bob")
            let bob = try TestNode("Bob", home: link)
            try await bob.start()
            let check = try await bob.outcome(["home", "check"])
            #expect(check.status == 0 && check.output.contains("a copy of the database of the running node"))
            try await bob.run("backup", backup, "--passphrase-file", secret)
            try await bob.run("backup", "--verify", backup, "--passphrase-file", secret)
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.file("private/bob"))
            #expect(!left.contains { $0.hasPrefix("copy-") }, "\(left)")
        }

        @Test
        func `where nobody is left who could show anything, the user says that it may write`() async throws {
            let (alice, bob, conversation) = try await couple()
            try await bob.run("send", conversation, "hello")
            try await bob.run("backup", backup, "--passphrase-file", secret)
            for node in [alice, bob] { await node.stop() }

            let home = scratch.file("restored")
            try await TestNode("Bob", home: home).run("restore", backup, "--passphrase-file", secret)
            let restored = try TestNode("Bob", home: home, options: TestNode.loopback + ["--only-copy"])
            try await restored.start()
            try await restored.run("send", conversation, "I am back")
        }

        @Test
        func `a stopped node is backed up too, and no home is overwritten`() async throws {
            let (_, bob, _) = try await couple()
            await bob.stop()
            try await bob.run("backup", backup, "--passphrase-file", secret)
            #expect(try await bob.refusal("restore", backup, "--passphrase-file", secret) == "home_in_use")
            let other = scratch.file("other")
            try "wrong\n".write(toFile: other, atomically: true, encoding: .utf8)
            #expect(
                try await bob.refusal("backup", "--verify", backup, "--passphrase-file", other) == "wrong_passphrase")
            let failed = try await bob.outcome(["backup", scratch.file("no/folder"), "--passphrase-file", secret])
            #expect(failed.status == 77 && failed.errors.contains("permission_denied"), "\(failed.errors)")
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            #expect(Set(left) == ["bob.backup", "passphrase", "other"])
        }
    }
}
