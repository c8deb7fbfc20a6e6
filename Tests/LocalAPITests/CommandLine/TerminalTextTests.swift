import Foundation
import LocalAPIModel
import Testing

@testable import moot

@Suite("Text of others on a terminal")
struct TerminalTextTests {
    @Test(arguments: [
        ("Alice", "Alice"),
        ("\u{1B}[31mRed\u{1B}[0m", "[31mRed[0m"),
        ("\u{9B}2JGone", "2JGone"),
        ("bell\u{7}back\u{8}space", "bellbackspace"),
        ("evil\u{202E}gpj.exe", "evilgpj.exe"),
        ("\u{2066}isolated\u{2069}", "isolated"),
        ("two\nlines\r\nor\rfour", "two lines or four"),
        ("\u{85}next\u{2028}line\u{2029}", " next line "),
        ("tab\there\u{7F}", "tab here"),
        ("Bob\u{200F} 1\u{200E}\u{61C}", "Bob 1"),
        ("A\u{200B}l\u{AD}i\u{2060}c\u{FEFF}e\u{E0041}\u{FFF9}", "Alice"),
        ("👨\u{200D}👩\u{200D}👧 نمی\u{200C}خواهم", "👨\u{200D}👩\u{200D}👧 نمی\u{200C}خواهم"),
        (
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
            "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
        ),
        ("\u{0600}12", "\u{0600}12"),
        ("مرحبا שלום 你好 🚢 é", "مرحبا שלום 你好 🚢 é"),
    ])
    func `keeps every script and loses every power`(hostile: String, harmless: String) {
        #expect(TerminalText.line(hostile) == harmless)
    }

    @Test func `loses its power over a line in any field, and the styles of the line stay`() {
        let line = "\u{1B}[1mBob\u{1B}[0m  \u{202E}1.0\u{2066}\u{9B}2J\u{1B}]0;x\u{7}"
        #expect(TerminalText.printed(line) == "\u{1B}[1mBob\u{1B}[0m  1.02J]0;x")
    }

    @Test func `cannot pass for another message`() {
        let forged = "Hello\n[12:04] Bob: I agree"
        #expect(TerminalText.block(forged, indentation: "    ") == "Hello\n    [12:04] Bob: I agree")
    }

    @Test func `holds no control character after cleaning, whatever it held before`() {
        let everything = String(String.UnicodeScalarView((0...0x2100).compactMap(Unicode.Scalar.init)))
        let rest = TerminalText.line(everything).unicodeScalars
        #expect(rest.allSatisfy { $0.properties.generalCategory != .control })
        #expect(rest.allSatisfy { !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value) })
    }

    @Test func `is the same JSON after its controls are escaped`() throws {
        let everything = String(String.UnicodeScalarView((0...0x2100).compactMap(Unicode.Scalar.init))) + "🚢\u{10FFFF}"
        let json = try WireFormat.encode([everything])
        let harmless = JSONLine.sanitized(json)
        #expect(try WireFormat.decode([String].self, from: harmless) == [everything])
        let scalars = String(decoding: harmless.dropLast(), as: UTF8.self).unicodeScalars
        #expect(scalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(scalars.allSatisfy { !(0x202A...0x202E).contains($0.value) && !(0x2066...0x2069).contains($0.value) })
    }

    @Test func `keeps the columns of a table straight`() {
        var table = Table("NAME", "ROLE")
        table.add("Ann\u{1B}[1m", "member")
        table.add("船长", "admin")
        table.add(String(repeating: "x", count: 100), "member\nfounder")
        let lines = table.lines(Output(isJSON: false, isQuiet: false), isCut: true)
        #expect(lines.count == 4)
        let columns = lines.map { line in
            line.range(of: "ROLE|member|admin", options: .regularExpression)
                .map { String(line[..<$0.lowerBound]).displayWidth }
        }
        #expect(columns == Array(repeating: Table.maximumColumnWidth + 2, count: 4))
        #expect(lines[3].contains("…  member founder"))
    }

    @Test func `what is printed has no control of others`() {
        #expect(TerminalText.printed("\u{1B}[1mAlice\u{1B}[0m\tone\ntwo") == "\u{1B}[1mAlice\u{1B}[0m\tone\ntwo")
        #expect(TerminalText.printed("id \u{1B}]0;title\u{7}\u{9B}2J\r\u{1B}[2J\u{1B}") == "id ]0;title2J[2J")
    }
}
