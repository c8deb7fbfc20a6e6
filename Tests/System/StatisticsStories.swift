import Testing
import Waiting

extension Stories {
    /// How much is written in a group, as each member's own node counts it.
    @Suite("Statistics")
    struct Statistics {
        private struct Answer: Decodable {
            struct Day: Decodable {
                let day: String
                let messages: Int
                let members: Int
            }

            struct Author: Decodable {
                let name: String
                let messages: Int
            }

            struct Files: Decodable {
                let count: Int
                let bytes: Int
            }

            let timeZone: String
            let days: [Day]
            let hours: [Int]
            let authors: [Author]
            let messages: Int
            let files: Files

            /// Who wrote how much.
            var byName: [String: Int] { Dictionary(authors.map { ($0.name, $0.messages) }) { $1 } }
        }

        private func statistics(of node: TestNode, _ options: String...) async throws -> Answer {
            let outcome = try await node.outcome(["stats", ship, "--json"] + options)
            try #require(outcome.status == 0, "\(outcome.errors)")
            return try node.decode(outcome.output)
        }

        @Test
        func
            `how much is written, when and by whom is told by everybody's own clock, and to admins only where the group says so`()
            async throws
        {
            let (alice, bob, carol) = try await groupOfThree()
            try await alice.run("send", ship, "one")
            try await alice.run("send", ship, "two")
            let taken: MessageAnswer = try await bob.answer("send", ship, "three")
            try await bob.run("send", ship, "--lines", input: "four\nfive\n")
            for node in [alice, bob, carol] {
                await eventually("\(node.name) counts what everybody wrote") {
                    try await statistics(of: node).byName == ["Alice": 2, "Bob": 3]
                }
                let whole = try await statistics(of: node, "--days", "7")
                #expect(whole.messages == 5 && whole.hours.count == 24 && whole.hours.reduce(0, +) == 5)
                #expect(whole.days.count == 7 && whole.days.map(\.messages).reduce(0, +) == 5)
                #expect(whole.days.last?.members == 3 && whole.days.first?.members == 0)
                #expect(whole.files.count == 0)
            }
            try await expectClocks(carol)

            let page = try await carol.run("stats", ship)
            for part in ["5 messages", "Messages a day", "Most active", "Bob    3  ███", "Hours of the day", "Members"]
            {
                #expect(page.contains(part), "\(page)")
            }
            #expect(!page.contains("\u{1B}"), "no style where nobody looks")

            // What nobody can read any more, and what one does not want to read, does not count.
            try await bob.run("delete", taken.id)
            await eventually("Carol counts it no more") { try await statistics(of: carol).byName["Bob"] == 2 }
            try await carol.run("people", "block", "Alice")
            #expect(try await statistics(of: carol).byName == ["Bob": 2])
            #expect(try await statistics(of: bob).byName == ["Alice": 2, "Bob": 2])
            try await carol.run("people", "unblock", "Alice")

            #expect(try await carol.refusal("set", ship, "statistics", "admins") == "insufficient_permissions")
            #expect(try await alice.refusal("set", ship, "statistics", "nobody") == "invalid_request")
            try await alice.run("set", ship, "statistics", "admins")
            for node in [bob, carol] {
                await eventually("\(node.name) is not shown them") {
                    let outcome = try await node.outcome(["stats", ship, "--json"])
                    return outcome.status == 1 && outcome.errors.contains("insufficient_permissions")
                }
            }
            #expect(try await statistics(of: alice).messages == 4)
            try await alice.run("promote", ship, "Bob", "--to", "admin")
            await eventually("Bob is shown them as an admin") {
                try await bob.outcome(["stats", ship]).status == 0
            }
            #expect(try await carol.refusal("stats", ship) == "insufficient_permissions")
        }

        @Test
        func `what a moderator deletes counts for nobody, and statistics outlive a restart`() async throws {
            let (alice, bob, carol) = try await groupOfThree()
            let rude: MessageAnswer = try await carol.answer("send", ship, "rude")
            try await carol.run("send", ship, "polite")
            await eventually("Bob counts both") { try await statistics(of: bob).messages == 2 }
            try await alice.run("delete", rude.id)
            for node in [alice, bob, carol] {
                await eventually("\(node.name) counts one") { try await statistics(of: node).messages == 1 }
            }
            await bob.stop()
            try await bob.start(peers: [alice])
            let after = try await statistics(of: bob)
            #expect(after.byName == ["Carol": 1] && after.days.last?.members == 3)
        }

        /// Two readers of one node in two time zones see the same messages in hours that differ by a quarter.
        private func expectClocks(_ node: TestNode) async throws {
            for zone in ["UTC", "Asia/Kathmandu"] {
                let outcome = try await node.outcome(["stats", ship, "--json"], environment: ["TZ": zone])
                let told: Answer = try node.decode(outcome.output)
                let ahead = zone == "UTC" ? 0 : 5 * 60 + 45
                var hours = Array(repeating: 0, count: 24)
                for message in try await node.messages(in: ship) where message.kind == "text" {
                    let time = message.sentAt.split(separator: "T")[1].split(separator: ":").compactMap { Int($0) }
                    hours[(time[0] * 60 + time[1] + ahead) / 60 % 24] += 1
                }
                #expect(told.hours == hours, "\(told.timeZone)")
            }
        }
    }
}
