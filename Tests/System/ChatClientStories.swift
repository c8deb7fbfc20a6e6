import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Chatting without another command")
    struct ChatClient {
        private func enter(_ line: String, on screen: Screen) async throws {
            try await screen.type(line)
            try await screen.press("Enter")
        }

        @Test
        func `at a terminal alone a person writes, answers, corrects, reacts, sends, saves, searches and leaves`()
            async throws
        {
            let (alice, bob, _) = try await groupOfThree()
            let scratch = try Scratch()
            try Data(repeating: 0x25, count: 81_920).write(to: URL(filePath: scratch.file("tides.pdf")))
            let screen = try await Screen(rows: 24, columns: 110, environment: ["MOOT_HOME": alice.home])
            try await enter(TestNode.moot, on: screen)
            await screen.expect("> 1 Ship")
            try await screen.press("Enter")
            await screen.expect(" Ship  3 members")

            try await enter("/direct Bob", on: screen)
            await screen.expect(" Bob  2 members")
            try await enter("Hello Bob", on: screen)
            await screen.expect("Alice: Hello Bob")
            await eventually("Bob has it") { try await bob.texts(in: "Alice") == ["Hello Bob"] }
            try await screen.press("M-Up")
            await screen.expect(" Ship  3 members")
            try await bob.run("send", "Alice", "@Alice: come")
            await screen.expect("@1")
            try await screen.press("M-a")
            await screen.expect("Bob: @Alice: come")

            try await screen.press("Up", "+", "1")
            await screen.expect("👍 Alice")
            try await screen.press("Up", "r")
            await screen.expect("↳ replying to Bob: @Alice: come")
            try await enter("On my way", on: screen)
            await screen.expect("╭─ Bob: @Alice: come")
            try await screen.press("Up", "e")
            await screen.expect("> On my way")
            try await enter(" now", on: screen)
            await screen.expect("Alice: On my way now")
            await screen.expect("(edited)")

            try await enter("/send \(scratch.file("tides.pdf"))", on: screen)
            await screen.expect("[tides.pdf, 80.0 KiB, here]")
            try await enter("/save \(scratch.file("saved"))", on: screen)
            await screen.expect("Saved ")
            #expect(FileManager.default.fileExists(atPath: scratch.file("saved") + "/tides.pdf"))
            try await enter("/search come", on: screen)
            await screen.expect(" Found: come")
            try await screen.press("Escape")
            try await enter("/mute 8h", on: screen)
            await screen.expect("Bob is muted")

            try await enter("/create \"Night Watch\" Bob Carol", on: screen)
            await screen.expect(" Night Watch  3 members")
            try await enter("/leave", on: screen)
            await screen.expect("If you are sure: /leave yes")
            try await enter("/leave yes", on: screen)
            await screen.expect("You are not in this group any more")
            try await screen.press("C-z")
            await screen.expect("Stopped")
            try await enter("fg", on: screen)
            await screen.expect(" Night Watch  ")
            try await screen.press("C-c")
            // What is typed before the terminal is given back is thrown away with the rest.
            await screen.expectNo(" Night Watch  ")
            try await enter("echo \"status $?\"", on: screen)
            await screen.expect("status 0")
        }

        @Test
        func `two people at their terminals spend a day without another command`() async throws {
            let (alice, bob, _) = try await groupOfThree()
            let scratch = try Scratch()
            try Data(repeating: 0x25, count: 81_920).write(to: URL(filePath: scratch.file("tides.pdf")))
            let first = try await Screen(rows: 24, columns: 110, environment: ["MOOT_HOME": alice.home])
            let second = try await Screen(rows: 24, columns: 110, environment: ["MOOT_HOME": bob.home])
            for screen in [first, second] {
                try await enter(TestNode.moot, on: screen)
                await screen.expect("> 1 Ship")
                try await screen.press("Enter")
                await screen.expect(" Ship  3 members")
            }
            // Morning: a new group, which Bob sees come and goes to.
            try await enter("/create Breakfast Bob Carol", on: first)
            await first.expect(" Breakfast  3 members")
            await second.expect("Breakfast")
            try await enter("/go Breakfast", on: second)
            await second.expect(" Breakfast  3 members")
            try await enter("Who brings bread?", on: first)
            await second.expect("Alice: Who brings bread?")
            try await enter("/reply Me, at eigth", on: second)
            await first.expect("Bob: Me, at eigth")
            try await enter("/edit Me, at eight", on: second)
            await first.expect("Bob: Me, at eight")
            try await enter("/react 👍", on: first)
            await second.expect("👍 Alice")

            // Noon: a file, saved at the other end; somebody is looked for, and a text found.
            try await enter("/send \(scratch.file("tides.pdf")) The tides", on: first)
            await second.expect("[tides.pdf, 80.0 KiB, here]")
            try await enter("/save \(scratch.file("of Bob"))", on: second)
            await second.expect("Saved ")
            #expect(FileManager.default.fileExists(atPath: scratch.file("of Bob") + "/tides.pdf"))
            try await enter("/who", on: first)
            await first.expect("Bob")
            try await enter("/search bread", on: second)
            await second.expect(" Found: bread")
            try await screenBack(second)

            // Evening: quiet in one conversation, a word in the other, and out.
            try await enter("/mute 8h", on: second)
            await second.expect("Breakfast is muted")
            try await second.press("M-Up")
            await second.expect(" Ship  3 members")
            try await enter("Good night", on: second)
            try await enter("/go Ship", on: first)
            await first.expect("Bob: Good night")
            try await enter("/go Breakfast", on: second)
            await second.expect(" Breakfast  3 members")
            try await enter("/leave yes", on: second)
            await second.expect("You are not in this group any more")
            for screen in [first, second] {
                try await screen.press("C-c")
                await screen.expectNo(" members, ")
                try await enter("echo \"status $?\"", on: screen)
                await screen.expect("status 0")
            }
        }

        private func screenBack(_ screen: Screen) async throws {
            try await screen.press("Escape")
            await screen.expectNo(" Found: ")
        }
    }
}
