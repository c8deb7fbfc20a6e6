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

    private static let file = """
        [{"id": "f", "name": "tides.pdf", "size": 81920, "media_type": "application/pdf", "kind": "file",
        "state": "here", "received": 81920}]
        """

    @Test func `have their files below, and in a list behind their text, or for it`() throws {
        var named = try message("tides.pdf", kind: "file")
        named.files = try WireFormat.decode([FileDescription].self, from: Array(Self.file.utf8))
        #expect(named.line(output).hasSuffix("tides.pdf\n        [tides.pdf, 80.0 KiB, here]"))
        #expect(named.summary == "[tides.pdf, 80.0 KiB, here]")
        named.text = "Look"
        #expect(named.summary == "Look [tides.pdf, 80.0 KiB, here]")
        #expect(try message("Hello").summary == "Hello")
    }

    @Test func `stand below what they answer, which leads to them`() throws {
        let quote =
            #", "reply_to": "0", "quote": {"id": "0", "sender": "c", "sender_name": "Carol", "text": "Hm", "readability": "open"}"#
        let lines = try message("Hello", more: quote).line(output).split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "╭─ Carol: Hm" && lines[1].hasSuffix("] Bob[1m: Hello"))
        let named = try message("Hello", more: quote).line(output, withID: true, in: "Ship ")
        #expect(named.hasPrefix("Ship " + String(repeating: " ", count: 13) + "╭─ Carol: Hm\nShip 1 ["))
        #expect(try message("Hello", more: #", "reply_to": "0""#).line(output).hasPrefix("╭─ an earlier message\n"))
    }

    @Test func `say why where there is no text`() throws {
        #expect(try message("", readability: "closed").line(output).contains("only for those who were members"))
        #expect(try message("", readability: "wanted").line(output).contains("not here yet"))
        #expect(try message("", readability: "unreadable").line(output).contains("cannot be read"))
    }

    @Test func `are marked where they do not count, with why`() throws {
        let reason = #", "uncounted": {"rule": "author_removed", "reason": "it was unseen: Alice removed Bob"}"#
        let late = try message("Hello", more: ", \"after_removal\": true" + reason)
        #expect(late.line(output).hasSuffix("Hello (does not count: it was unseen: Alice removed Bob)"))
        #expect(try message("Hello", more: ", \"after_removal\": true").marks == "(does not count)")
        #expect(try message("Hello").marks == nil)
    }

    @Test func `say on which day they were sent, where that is not today or the day before`() throws {
        let (first, second) = (try message("One"), try message("Two"))
        let day = try #require(LocalTime(first.sentAt)?.day)
        #expect(Read.lines(of: [first, second], today: day, output, withIDs: false).count == 2)
        let lines = Read.lines(of: [first, second], today: "2027-01-01", output, withIDs: false)
        #expect(lines == ["── \(day) ──", first.line(output), second.line(output)])
    }

    @Test func `are marked while nobody else has them, and when nobody ever will`() throws {
        func state(_ phase: String) -> String {
            #", "state": {"phase": "\#(phase)", "reason": "Out", "recipients": 2, "delivered_to": [], "read_by": []}"#
        }
        #expect(try message("Hi", more: state("pending")).line(output).hasSuffix("Hi (pending)"))
        #expect(try message("Hi", more: state("failed")).line(output).hasSuffix("Hi (failed: Out)"))
        #expect(try message("Hi", more: state("delivered")).line(output).hasSuffix("Hi"))
        #expect(
            try message("Alice left", kind: "system", more: state("pending")).line(output).hasSuffix("left (pending)"))
    }

    @Test(arguments: ["", "yesterday", "2026-11-21", "2026-11-21T03:04:05", "2026-11-21Tab:cd:efZ"])
    func `have no time where there is none`(moment: String) {
        #expect(LocalTime(moment) == nil)
    }
}
