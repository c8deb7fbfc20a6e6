import Foundation
import PhotoFixtures
import Testing

extension Stories {
    /// What the documents show in consoles, typed as they show it.
    ///
    /// `$` is typed on the host of Alice, who reads the document, `bob$` on Bob's. What a document shows below a
    /// command must come, but for ids, times, sizes and the width of columns. Where it shows nothing, anything may come
    /// but a refusal.
    @Suite("The documents")
    struct Tour {
        /// The documents whose consoles are typed here.
        static let typed = [
            "README.md", "docs/user-guide.md", "docs/configuration.md", "docs/operations.md", "docs/api.md",
            "docs/troubleshooting.md",
        ]

        /// Documents whose consoles are not typed here, with the reason.
        private static let forDevelopers = [
            "docs/testing.md": "it builds Moot and runs its tests and simulator, as scripts/test does"
        ]

        /// Commands that are not typed, by how they begin, with the reason.
        private static let untyped = [
            "scripts/test": "it runs these stories",
            "examples/three-hosts.sh": "scripts/test runs it by itself, where the system allows namespaces",
            "systemctl": "it needs a session of systemd, and would enable a node for whoever runs the tests",
            "loginctl": "it would change how whoever runs the tests is logged in",
            "journalctl": "it reads the journal of systemd",
            "scripts/package": "it builds Moot once more, for minutes; Tests/Package/run tries what it makes",
            "scp": "there is no other host to copy the package to",
            "sudo": "it asks for a password, and would change the host of whoever runs the tests",
            "moot backup": "it asks for a passphrase and the tour has nobody to ask; BackupStories types it",
            "moot doctor":
                "its exit status says how the host of whoever runs the tests is; DoctorStories plants faults for it",
            "moot restore": "BackupStories types it, with a home to restore",
            "moot link": "it waits for another host, which the tour has not; DeviceStories types it",
            "moot devices add": "it needs the code of another host; DeviceStories types it",
            "moot devices retire": "there is one device in the tour; DeviceStories types it",
            "moot devices revoke": "there is one device in the tour; DeviceStories types it",
            "moot recover": "it and moot recovery need a terminal or an empty host; RecoveryStories types both",
            "moot export": "the document makes no conversation; ExportStories types it",
            "moot delete 578f5c1c": "no message of the tour has two files; FileStories deletes one of several",
            "update-desktop-database": "it belongs to a desktop, which the host of a test may not have",
        ]

        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        // Documents name ports.
        @Test(.serialized, arguments: typed)
        func `what a document shows comes when somebody types it`(document: String) async throws {
            let crew = try Crew()
            try await crew.bob.start()
            try await crew.carol.start(peers: [crew.bob])
            let folder = try Self.furnishedFolder()
            let session = try await ConsoleSession(
                reader: crew.alice, others: ["bob": crew.bob, "carol": crew.carol, "dave": crew.dave],
                in: folder)
            try await session.perform(ConsoleStep(host: "", command: "moot up --name Alice"))
            let steps = try ConsoleStep.all(in: Self.root.appending(path: document)).filter { !Self.isUntyped($0) }
            try #require(!steps.isEmpty)
            for step in steps {
                try await crew.live(before: step)
                try await session.perform(step)
            }
            try await session.end()
            await crew.stop()
        }

        @Test
        func `a command that is not typed has a reason, and a reason has a command`() throws {
            var untyped = Set(Self.untyped.keys)
            for document in try Self.documents() where Self.forDevelopers[document] == nil {
                let steps = try ConsoleStep.all(in: Self.root.appending(path: document))
                #expect(steps.isEmpty || Self.typed.contains(document), "type \(document), or say why not")
                for step in steps { untyped = untyped.filter { !step.command.hasPrefix($0) } }
            }
            #expect(untyped.isEmpty, "no document shows these any more")
        }

        private static func isUntyped(_ step: ConsoleStep) -> Bool {
            untyped.keys.contains { step.command.hasPrefix($0) }
        }

        /// The paths of the README and of all documents in `docs`.
        private static func documents() throws -> [String] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path)
            return ["README.md"] + names.filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        }

        /// A folder with the files that the documents send, and with what lies in the folder of the sources.
        private static func furnishedFolder() throws -> Scratch {
            let folder = try Scratch()
            for name in ["sails.jpg", "harbour.jpg", "me.jpg"] {
                try Data(try JPEGFile.file(width: 300, height: 200) { x, _ in x < 100 ? .red : .blue })
                    .write(to: URL(filePath: folder.file(name)))
            }
            try Data(repeating: 0x25, count: 84_000).write(to: URL(filePath: folder.file("tides.pdf")))
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("share"), withDestinationPath: root.appending(path: "share").path)
            return folder
        }
    }
}

/// The people whom the documents name.
private struct Crew {
    let alice: TestNode
    let bob: TestNode
    let carol: TestNode
    let dave: TestNode
    /// Somebody else who calls themselves Carol.
    let namesake: TestNode

    init() throws {
        alice = try TestNode("Alice")
        bob = try TestNode("Bob")
        carol = try TestNode("Carol")
        dave = try TestNode("Dave")
        namesake = try TestNode("Carol")
    }

    /// What happens elsewhere before a command, as the document tells it.
    func live(before step: ConsoleStep) async throws {
        if step.command == "moot invite Ship Dave" {
            try await dave.start(peers: [alice])
        } else if step.output.contains(where: { $0.contains("2 people are called Carol") }) {
            try await namesake.start(peers: [alice])
        }
    }

    func stop() async {
        for node in [bob, carol, dave, namesake] { await node.stop() }
    }
}
