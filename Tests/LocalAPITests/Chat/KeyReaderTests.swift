import Testing

@testable import moot

@Suite("Keys of a terminal")
struct KeyReaderTests {
    private static let typed =
        "a\u{7F}é世👩‍👩‍👧\r\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[1;5D\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[5~\u{1B}[6~"
        + "\u{1}\u{5}\u{17}\u{15}\u{B}\u{C}\u{1B}\r\u{1B}b\u{3}\u{4}"
    private static let keys: [Key] = [
        .text("a"), .backspace, .text("é世👩‍👩‍👧"), .enter, .up, .down, .right, .wordLeft, .home, .end, .delete, .pageUp,
        .pageDown, .home, .end, .deleteWord, .deleteToStart, .deleteToEnd, .redraw, .lineBreak, .wordLeft, .interrupt,
        .endOfInput,
    ]

    /// Text that came in several pieces is one text.
    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { joined, key in
            if case .text(let more) = key, case .text(let text) = joined.last {
                joined[joined.count - 1] = .text(text + more)
            } else {
                joined.append(key)
            }
        }
    }

    @Test(arguments: 1...40)
    func `are read from pieces of any size`(size: Int) {
        var reader = KeyReader()
        let bytes = Array(Self.typed.utf8)
        let keys = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            reader.consume(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(joined(keys) == Self.keys)
    }

    @Test(arguments: 1...20)
    func `and pastes are told apart, with everything that is in them`(size: Int) {
        var reader = KeyReader()
        let pasted = "one\rtwo\u{1B}[A\u{3}世"
        let bytes = Array("x\u{1B}[200~\(pasted)\u{1B}[201~\u{1B}[200~\u{1B}[201~\r".utf8)
        let keys = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            reader.consume(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        #expect(keys == [.text("x"), .paste(pasted), .paste(""), .enter])
    }

    @Test func `that mean nothing are passed over`() {
        var reader = KeyReader()
        let noise =
            "\u{1B}[?25h\u{1B}[38;5;1m\u{1B}[1~\u{0}\u{1A}\u{1B}[99~" + "\u{1B}[" + String(repeating: "1", count: 100)
            + "xz"
        let keys = reader.consume(Array(noise.utf8))
        #expect(keys.first == .home)
        #expect(!keys.contains(.interrupt))
        #expect(reader.consume(Array("q".utf8)).last.map { "\($0)".contains("q") } == true)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `are found in anything, and never stop coming`(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var reader = KeyReader()
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0x1B
            }
            _ = reader.consume(bytes)
        }
        let end = reader.consume(Array("\u{1B}[201~".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100) + [0x0D])
        #expect(end.last == .enter)
    }

    @Test(arguments: [
        ("\u{1B}[1;3A", [Key.conversationBefore]), ("\u{1B}[1;3B", [.conversationAfter]), ("\u{1B}[1;5A", [.up]),
        ("\u{1B}1\u{1B}0", [.conversation(1), .conversation(10)]), ("\u{1B}a", [.conversationUnread]), ("\t", [.tab]),
        ("\u{18}\u{5}", [.openEditor]), ("\u{18}x", [.text("x")]), ("\u{1A}", [.suspend]),
        ("\u{10}\u{E}", [.recallEarlier, .recallLater]), ("\u{1B}[1;-9223372036854775808A", [.up]),
    ])
    func `lead to conversations, out of the chat and back`(typed: String, keys: [Key]) {
        var reader = KeyReader()
        #expect(reader.consume(Array(typed.utf8)) == keys)
    }

    @Test func `tell Escape from the beginning of a sequence by what follows`() {
        var reader = KeyReader()
        #expect(reader.consume([0x1B]) == [])
        #expect(reader.pause() == [.escape])
        #expect(reader.pause() == [])
        #expect(reader.consume([0x1B]) + reader.consume(Array("[A".utf8)) == [.up])
        #expect(reader.consume(Array("\u{1B}[".utf8)) + reader.pause() == [])
    }
}
