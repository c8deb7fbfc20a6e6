import Foundation
import GRDB
import Testing

extension Stories {
    @Suite("Upgrade")
    struct Upgrades {
        private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures")

        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        @Test
        func `a home of an earlier version has all it had, and a newer one is refused by the name of its program`()
            async throws
        {
            let home = scratch.file("home")
            try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: "home-11").path, toPath: home)
            let alice = try TestNode("Alice", home: home)
            try await alice.start()
            let texts = try await alice.texts(in: ship)
            #expect(texts.count == 14 && texts.contains("Bob says 6") && texts.contains("Hello"), "\(texts)")
            try await alice.run("send", ship, "Alice goes on")
            let saved = scratch.file("saved")
            try await alice.run("files", ship, "--save", saved)
            #expect(try String(contentsOfFile: saved + "/tides.txt", encoding: .utf8) == "high water 06:12\n")
            #expect(try await alice.run("home", "check").contains("All is well."))
            await alice.stop()
            #expect(try await alice.run("home", "check").contains("All is well."))
            let left = try FileManager.default.contentsOfDirectory(atPath: home)
            #expect(!left.contains { $0.contains(".version-") }, "\(left)")

            let database = try DatabaseQueue(path: home + "/replica.sqlite")
            try await database.write { database in
                let program = try String.fetchOne(database, sql: "SELECT value FROM meta WHERE key = 'program'")
                #expect(program?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
                try database.execute(
                    sql: "UPDATE meta SET value = '7.8.9' WHERE key = 'program'; PRAGMA user_version = 99")
            }
            try database.close()
            let program = try await alice.launch(TestNode.loopback)
            let refused = await program.ended()
            #expect(refused.status == 78 && refused.errors.contains("newer_database"), "\(refused)")
            #expect(refused.errors.contains("Install Moot 7.8.9 again"))
        }

        @Test
        func
            `whom Alice blocked and verified in an earlier version they still have after an upgrade, and nobody else reads it`()
            async throws
        {
            let home = scratch.file("home")
            try FileManager.default.copyItem(atPath: Self.fixtures.appending(path: "home-13").path, toPath: home)
            let alice = try TestNode("Alice", home: home)
            for _ in 1...2 {
                try await alice.start()
                let people = try await alice.run("people").split(separator: "\n").map { $0.split(separator: " ") }
                let verified = people.filter { $0.contains("yes") }.map(\.first)
                let blocked = people.filter { $0.contains("(blocked)") }.map(\.first)
                #expect(verified == ["Bob"] && blocked == ["Carol"], "\(people)")
                await alice.stop()
            }
            #expect(try await alice.run("home", "check").contains("All is well."))
            let database = try DatabaseQueue(path: home + "/replica.sqlite")
            try await database.read { database in
                let lists = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM settings WHERE key IN ('blocked', 'verified')")
                #expect(lists == 0)
                // Bob, Carol, and twice Dave, of whom both were said and taken back.
                #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM person_marks") == 4)
                let named = try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM person_marks WHERE name IN (SELECT user FROM profiles)")
                #expect(named == 0)
            }
            try database.close()
        }
    }
}
