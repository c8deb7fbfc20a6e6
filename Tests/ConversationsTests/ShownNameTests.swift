import Conversations
import OperationLog
import Testing

@Suite("Names as they are shown")
struct ShownNameTests {
    @Test
    func `a name that keeps the rule is shown whole, also of 50 families`() {
        let families = String(
            repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", count: 50)
        #expect(DisplayName.shown(families) == families)
        let marked = String(repeating: "\u{E9}" + String(repeating: "\u{301}", count: 19), count: 50)
        #expect(DisplayName.shown(marked) == marked)
    }

    @Test(arguments: [
        ("\u{202E}ecilA", "ecilA"), ("Al\nice", "Al ice"), ("\u{1B}[31mAlice", "[31mAlice"), ("Al\u{0}ice", "Alice"),
        (" Alice\u{200B} ", "Alice"), ("Alice\u{200F}", "Alice"), ("\n\u{2066}Alice\u{2069}\n", "Alice"),
    ])
    func `what could change the screen is taken out of one that breaks it`(raw: String, shown: String) {
        #expect(DisplayName.shown(raw) == shown)
    }

    @Test
    func `of one that is too long the beginning is shown`() {
        let shown = DisplayName.shown(String(repeating: "a", count: 4_000))
        #expect(shown == String(repeating: "a", count: 49) + "…")
        let heavy = "a" + String(repeating: "\u{301}", count: 2_000) + "b"
        #expect((DisplayName.shown(heavy) ?? "").utf8.count <= DisplayName.maximumBytes)
    }

    @Test(arguments: ["", " ", "\u{200B}", "\u{200F}\u{202E}", "\n", "\u{2800}", "\u{3164}"])
    func `one of which nothing is seen is none`(raw: String) {
        #expect(DisplayName.shown(raw) == nil)
    }
}
