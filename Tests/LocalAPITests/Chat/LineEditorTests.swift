import Testing

@testable import moot

@Suite("The line that is typed")
struct LineEditorTests {
    /// A line after keys, with "|" where the cursor is.
    private func line(_ keys: Key...) -> String {
        var line = LineEditor()
        for key in keys { _ = line.handle(key) }
        return String(line.characters[..<line.cursor]) + "|" + String(line.characters[line.cursor...])
    }

    @Test func `is edited by characters, as people see them`() {
        #expect(line(.text("a世👩‍👩‍👧é"), .backspace, .backspace) == "a世|")
        #expect(line(.text("ab"), .left, .text("世")) == "a世|b")
        #expect(line(.text("ab"), .home, .delete, .delete, .delete) == "|")
        #expect(line(.text("e"), .text("\u{301}"), .backspace) == "|")
        #expect(line(.left, .backspace, .delete, .right, .deleteWord) == "|")
    }

    @Test func `is edited by words and as a whole`() {
        #expect(line(.text("one two  three "), .deleteWord) == "one two  |")
        #expect(line(.text("one two"), .wordLeft, .text("x")) == "one x|two")
        #expect(line(.text("one two"), .home, .wordRight, .deleteToEnd) == "one|")
        #expect(line(.text("one two"), .wordLeft, .deleteToStart) == "|two")
        #expect(line(.text("one"), .home, .end, .text("!")) == "one!|")
    }

    @Test func `takes no control characters, and line breaks only where they were meant`() {
        #expect(line(.text("a\u{1B}[2Jb\u{9B}c")) == "a[2Jbc|")
        #expect(line(.text("a\nb")) == "a b|")
        #expect(line(.paste("a\r\nb"), .lineBreak, .text("c")) == "a\nb\nc|")
    }

    @Test func `brings back what was typed before`() {
        var line = LineEditor()
        for text in ["one", "two", "two"] {
            _ = line.handle(.text(text))
            #expect(line.take() == text)
        }
        _ = line.handle(.text("draft"))
        let shown = [Key.up, .up, .up, .down, .down, .down].map { key in
            _ = line.handle(key)
            return line.text
        }
        #expect(shown == ["two", "one", "one", "two", "draft", "draft"])
    }

    @Test func `gives back what could not be sent, but takes nothing away for it`() {
        var line = LineEditor()
        line.restoreText("lost")
        #expect(line.text == "lost")
        line.restoreText("other")
        #expect(line.text == "lost")
    }

    @Test(arguments: 3...30)
    func `shows the part around the cursor that fits`(width: Int) {
        var line = LineEditor()
        _ = line.handle(.text("Grüße, 世界 und 👩‍👩‍👧 alle"))
        _ = line.handle(.lineBreak)
        for _ in 0...line.characters.count {
            let window = line.window(width: width)
            #expect(window.text.displayWidth <= width)
            #expect((0..<width).contains(window.cursorColumn))
            #expect(!window.text.contains("\n"))
            _ = line.handle(.left)
        }
        #expect(line.cursor == 0 && line.window(width: width).cursorColumn == 0)
    }
}
