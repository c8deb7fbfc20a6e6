import Foundation
import GRDB
import Testing

extension Stories {
    @Suite("Upgrade")
    struct Upgrades {
        private static let homes = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/homes")
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        /// The releases of which a home is kept, made by `Tests/Fixtures/homes/make`.
        private static func releases() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: homes.path).filter { $0 != "make" }.sorted()
        }

        /// Puts down the home that a release wrote.
        private func build(_ release: String) throws -> String {
            let (fixture, home) = (Self.homes.appending(path: release), URL(filePath: scratch.file("home")))
            let files = try JSONDecoder().decode(
                [String: Data].self, from: Data(contentsOf: fixture.appending(path: "files.json")))
            for folder in [home] + ["blobs", "keys"].map({ home.appending(path: $0) }) {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
            for (path, bytes) in files {
                let file = home.appending(path: path)
                try bytes.write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            }
            let database = try DatabaseQueue(path: home.appending(path: "replica.sqlite").path)
            let sql = try String(contentsOf: fixture.appending(path: "replica.sql"), encoding: .utf8)
            try database.inDatabase { try $0.execute(sql: sql) }
            try database.close()
            return home.path
        }

        /// What is shown of messages, without the names that clients gave their requests: a node knows them until it
        /// ends.
        private static func shown(_ messages: Any?) throws -> [NSDictionary] {
            try #require(messages as? [[String: Any]]).map { message in
                NSDictionary(dictionary: message.filter { $0.key != "client_id" })
            }
        }

        @Test(arguments: try releases())
        func `a home of a release is opened with all that is in it, and written on`(release: String) async throws {
            let alice = try TestNode("Alice", home: build(release))
            try await alice.start()
            let file = Self.homes.appending(path: "\(release)/expected.json")
            let expected = try #require(
                JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            for (conversation, messages) in expected {
                let answer = try await alice.run("read", conversation, "--json")
                let read = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
                try #expect(Self.shown(read?["messages"]) == Self.shown(messages))
            }
            #expect(try await alice.run("search", "bread").contains("I bring bread"))
            _ = try await alice.run("send", "Ship", "Still here")
            #expect(try await alice.texts(in: "Ship").last == "Still here")
            await alice.stop()
            let verdict = try await alice.run("home", "check")
            #expect(!verdict.contains("damaged"), "\(verdict)")
        }

        @Test func `a home of this release is kept`() async throws {
            let alice = try TestNode("Alice")
            let version = try await alice.run("--version").trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try Self.releases().contains { version.contains($0) }, "run Tests/Fixtures/homes/make")
        }

        @Test
        func `a home of a newer version, or of before the first release, is refused in words that say what to do`()
            async throws
        {
            let alice = try TestNode("Alice", home: scratch.file("home"))
            try await alice.start()
            await alice.stop()
            for (version, change, code, hint) in [
                ("7.8.9", "PRAGMA user_version = 99", "newer_database", "Install Moot 7.8.9 again"),
                (
                    "0.0.9", "PRAGMA user_version = 16; PRAGMA application_id = 0", "damaged_home",
                    "Export what you want to keep with Moot 0.0.9"
                ),
            ] {
                let database = try DatabaseQueue(path: scratch.file("home") + "/replica.sqlite")
                try await database.write { database in
                    let program = try String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'program'")
                    #expect(program?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
                    try database.execute(
                        sql: "UPDATE meta SET value = '\(version)' WHERE key = 'program'; \(change)")
                }
                try database.close()
                let program = try await alice.launch(TestNode.loopback)
                let refused = await program.ended()
                #expect(refused.status == 78 && refused.errors.contains(code), "\(refused)")
                #expect(refused.errors.contains(hint), "\(refused)")
            }
        }
    }
}
