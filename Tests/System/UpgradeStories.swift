import Foundation
import GRDB
import Testing

extension Stories {
    @Suite("Upgrade")
    struct Upgrades {
        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

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
