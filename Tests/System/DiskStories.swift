import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Disks")
    struct Disks {
        @Test(.enabled("private mounts are not allowed here") { await PrivateNetwork.isPossible() })
        func `a node whose disk is full stays readable and goes on when there is room`() async throws {
            let machine = try await PrivateNetwork()
            let disk = try await machine.smallDisk(megabytes: 24)
            let alice = try TestNode("Alice", on: machine.loopback, home: "\(disk)/home")
            let bob = try TestNode("Bob", on: machine.loopback)
            try await bob.start()
            try await alice.start(peers: [bob])
            await expectFullMesh([alice, bob])
            let direct: ConversationAnswer = try await alice.answer("direct", "Bob")
            try await alice.run("send", direct.id, "first")

            // Other people's files take all the room there is.
            _ = try await machine.loopback.run(["dd", "if=/dev/zero", "of=\(disk)/others", "bs=64k"])
            var reported = ["first"]
            var refused: Program.Outcome?
            // The database may reuse pages it has; large messages soon use those up.
            for number in 1...400 {
                let text = "\(number) " + String(repeating: "x", count: 16_000)
                let outcome = try await alice.outcome(["send", direct.id, "-", "--json"], input: text)
                guard outcome.status == 0 else {
                    refused = outcome
                    break
                }
                reported.append(text)
            }
            let refusal = try #require(refused, "the disk never filled up")
            #expect(
                try JSONDecoder().decode(ErrorAnswer.self, from: Data(refusal.errors.utf8)).error.code == "disk_full")
            #expect(await alice.isRunning)
            #expect(try await alice.texts(in: direct.id) == reported, "everything reported as sent can be read")

            // Bob goes on writing; Alice has no room for it, and loses nothing.
            let late = "from Bob " + String(repeating: "y", count: 16_000)
            try await bob.run("send", direct.id, "-", input: late)
            await eventually("every command says so") {
                let list: [ConversationAnswer] = try await alice.answer("list")
                return list.map(\.sync) == ["behind"]
            }
            let status = try await alice.run("status")
            #expect(status.contains("The disk is full. Nothing new is stored;"), "\(status)")
            try await Task.sleep(for: .seconds(2))
            let lines = await alice.log.split(separator: "\n").count { $0.contains("could not be stored") }
            #expect(lines == 1, "one line, however often it is tried")

            try await machine.run("rm", "\(disk)/others")
            await eventually("Alice writes again") {
                try await alice.outcome(["send", direct.id, "last"]).status == 0
            }
            await eventually("both have everything") {
                let texts = Set(try await alice.texts(in: direct.id))
                let same = Set(try await bob.texts(in: direct.id))
                return texts == same && texts.isSuperset(of: reported + [late, "last"])
            }
            await alice.stop()
        }
    }
}
