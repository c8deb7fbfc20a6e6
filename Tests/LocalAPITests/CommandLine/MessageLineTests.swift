import LocalAPIModel
import Node
import Testing

@testable import moot

@Suite("Messages on a terminal")
struct MessageLineTests {
    private let output = Output(isJSON: false, isQuiet: false)

    private func message(
        _ text: String, kind: String = "text", readability: String = "open", more: String = ""
    ) throws -> MessageDescription {
        let json = """
            {"id": "1", "conversation": "2", "kind": "\(kind)", "sender_name": "Bob\\u001b[1m", "text": "\(text)",
             "readability": "\(readability)",
             "sent_at": "2026-11-21T03:04:05.678Z", "mentions": [], "deleted": false,
             "reactions": [], "files": [], "pinned": false\(more)}
            """
        return try WireFormat.decode(MessageDescription.self, from: Array(json.utf8))
    }

    @Test func `show time, name and text`() throws {
        #expect(try message("Hello").line(output).contains(/^\[\d\d:\d\d\] Bob\[1m: Hello$/))
    }

    @Test func `of the conversation itself are marked`() throws {
        #expect(try message("Alice added Bob", kind: "system").line(output).hasSuffix("] * Alice added Bob"))
    }

    @Test func `say why where there is no text`() throws {
        #expect(try message("", readability: "closed").line(output).contains("only for those who were members"))
        #expect(try message("", readability: "wanted").line(output).contains("not here yet"))
        #expect(try message("", readability: "unreadable").line(output).contains("cannot be read"))
    }

    @Test func `are marked where whoever took their author out had not seen them`() throws {
        let late = try message("Hello", more: ", \"after_removal\": true")
        #expect(late.line(output).hasSuffix("Hello (not seen before its author was out)"))
        #expect(try message("Hello").marks == nil)
    }

    @Test(arguments: ["", "yesterday", "2026-11-21", "2026-11-21T03:04:05", "2026-11-21Tab:cd:efZ"])
    func `have no time where there is none`(moment: String) {
        #expect(LocalTime(moment) == nil)
    }
}
