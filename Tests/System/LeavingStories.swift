import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Leaving and removing at a terminal")
    struct Leaving {
        private let person: Respondent

        init() throws { person = try Respondent() }

        private static let isSure = "Are you sure you want to leave this group? You will need to be re-added to rejoin."

        @Test
        func `who leaves or removes somebody is asked first, and the last admin for a successor`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let everybody = ["Alice": "founder", "Bob": "member", "Carol": "member"]
            for (command, question) in [
                (["leave", ship], Self.isSure), (["remove", ship, "Alice"], Self.isSure),
                (["remove", ship, "Carol"], "Are you sure you want to remove Carol from Ship?"),
            ] {
                let declined = try await person.run(command, of: alice, answering: [(question, "n")])
                #expect(declined.status == 1 && !declined.errors.contains("error:"), "\(declined.errors)")
            }
            await expectRoles(everybody, at: [alice, bob, carol])

            // An admin who removes themselves leaves; of the list that the last one gets they choose Carol.
            let line = #/^ *(\d+)  Carol \(/#.anchorsMatchLineEndings()
            let listed = try await person.run(
                ["leave", ship], of: alice,
                answering: [
                    (Self.isSure, "y"), ("Number [1]:", "0"), ("from 1 to 3", "x"), ("from 1 to 3", "x"),
                ])
            #expect(listed.errors.contains("  1  the oldest member"), "\(listed.errors)")
            let number = try #require(listed.errors.firstMatch(of: line), "\(listed.errors)")
            #expect(listed.status == 1, "after three answers that are no choice they stay")
            let left = try await person.run(
                ["remove", ship, "me"], of: alice,
                answering: [(Self.isSure, "y"), ("Number [1]:", String(number.output.1))])
            #expect(left.status == 0, "\(left.errors)")
            await expectRoles(["Bob": "member", "Carol": "admin"], at: [bob, carol])

            // Of two the admin is asked once.
            let last = try await person.run(
                ["leave", ship], of: carol, answering: [("(only 1 member remaining).", "y")])
            #expect(last.status == 0, "\(last.errors)")
            #expect(last.errors.contains(Self.isSure))
            #expect(last.errors.components(separatedBy: "[y/N]").count == 2 && !last.errors.contains("error:"))
            await eventually("Bob is alone") {
                try await bob.answer("info", ship, as: ConversationAnswer.self).members.map(\.name) == ["Bob"]
            }
        }

        @Test
        func `who says yes beforehand is not asked`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            #expect(try await person.run(["leave", ship, "--yes"], of: alice).errors.contains("last_admin"))
            #expect(try await person.run(["remove", ship, "Carol", "--yes"], of: alice).status == 0)
            await expectRoles(["Alice": "founder", "Bob": "member"], at: [alice, bob])
            #expect(try await person.run(["remove", ship, "Bob", "--yes"], of: alice).errors.contains("would_archive"))
            #expect(try await person.run(["leave", ship, "--yes", "--archive"], of: bob).status == 0)
            await eventually("Carol hears of it") { try await carol.refusal("leave", ship) == "not_a_participant" }
        }
    }
}
