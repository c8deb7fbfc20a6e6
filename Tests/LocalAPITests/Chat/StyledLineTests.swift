import Testing

@testable import moot

@Suite("Lines of the chat")
struct StyledLineTests {
    private func wrap(_ text: String, _ width: Int, indentation: Int = 2) -> [String] {
        StyledLine.wrap([.init(text: text, style: .plain)], width: width, indentation: indentation).map(\.text)
    }

    @Test func `break between words, and within one that is too long`() {
        #expect(
            wrap("one two three", 8) == ["one two ", "  three"] || wrap("one two three", 8) == ["one two", "  three"])
        #expect(wrap("abcdefghij", 4) == ["abcd", "  ef", "  gh", "  ij"])
        #expect(wrap("a\nb\n\nc", 10) == ["a", "  b", "  ", "  c"])
        #expect(wrap("", 10) == [""])
        #expect(wrap("世界世界", 5) == ["世界", "  世", "  界"])
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `never are wider than the screen and never lose a character`(seed: UInt64) {
        var random = SplitMix64(state: seed)
        let alphabet: [Character] = ["a", "b", "世", "👩‍👩‍👧", " ", " ", "é", "\n"]
        let text = String((0..<120).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
        let width = Int.random(in: 2...40, using: &random)
        let lines = wrap(text, width, indentation: 8)
        #expect(lines.allSatisfy { $0.displayWidth <= width })
        #expect(lines.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test func `have no codes where styles are not welcome`() {
        var line = StyledLine("bold", .bold)
        line.append(" plain")
        line.append(" faint", .faint)
        #expect(line.printed(isStyled: false) == "bold plain faint")
        #expect(line.printed(isStyled: true) == "\u{1B}[1mbold\u{1B}[0m plain\u{1B}[2m faint\u{1B}[0m")
    }
}
