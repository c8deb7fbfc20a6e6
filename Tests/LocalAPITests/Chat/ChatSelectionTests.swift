import LocalAPIModel
import Testing

@testable import moot

@Suite("Choosing a message in a chat")
struct ChatSelectionTests: ChatSamples {
    private func state(_ numbers: ClosedRange<Int> = 1...5, rows: Int = 12, columns: Int = 100) throws -> ChatState {
        var state = ChatState(try conversation(), me: Self.alice, size: ChatSize(rows: rows, columns: columns))
        _ = state.handle(.connected)
        _ = state.handle(.newest(try page(numbers)))
        return state
    }

    private func press(_ keys: Key..., in state: inout ChatState) -> [ChatState.Effect] {
        keys.flatMap { state.handle(.key($0)) }
    }

    private func texts(_ state: ChatState) -> [String] { state.frame.lines.map(\.text) }

    @Test func `goes up from the newest and back, and the message stands out without colors too`() throws {
        var state = try state()
        _ = press(.up, .up, in: &state)
        #expect(state.selected?.id == "m4")
        #expect(texts(state).contains(">10:04< Bob: text 4"))
        #expect(texts(state).contains { $0.hasPrefix("r reply  e edit") })
        _ = press(.down, .down, in: &state)
        #expect(state.selection == nil)
        #expect(texts(state).contains("[10:04] Bob: text 4"))
    }

    @Test func `stays on its message and answers it, whatever comes meanwhile`() throws {
        var state = try state()
        _ = press(.up, .up, in: &state)
        _ = state.handle(.newest(try page(1...9)))
        _ = press(.text("r"), in: &state)
        #expect(texts(state).contains("↳ replying to Bob: text 4"))
        _ = state.handle(.newest(try page(1...10)))
        _ = press(.text("Aye"), in: &state)
        #expect(press(.enter, in: &state) == [.send("Aye", replyTo: "m4")])
        #expect(!texts(state).contains { $0.contains("replying") })
    }

    @Test func `begins an answer also with all keys at once, and by the command`() throws {
        var state = try state()
        _ = press(.up, .text("rAye"), in: &state)
        #expect(press(.enter, in: &state) == [.send("Aye", replyTo: "m5")])
        _ = press(.up, .up, .up, .text("/reply No"), in: &state)
        _ = state.handle(.newest(try page(1...12)))
        #expect(texts(state).contains("↳ replying to Bob: text 3"))
        #expect(press(.enter, in: &state) == [.send("No", replyTo: "m3")])
        #expect(state.selection == nil)
    }

    @Test func `changes an own text in the line, and gives back what was in it`() throws {
        var state = try state()
        var page = try page(1...3)
        page.messages.append(try message(4, "Helo", by: Self.alice))
        _ = state.handle(.newest(page))
        _ = press(.up, .up, .text("e"), in: &state)
        #expect(texts(state).contains("Only texts of your own can be changed."))
        _ = press(.escape, .text("Half a thought"), .recallEarlier, .recallLater, in: &state)
        _ = press(.deleteToStart, .up, .text("e"), in: &state)
        #expect(texts(state).last == "> Helo")
        #expect(texts(state).contains("✎ changing Alice: Helo"))
        #expect(state.handle(.paused) == [], "the new text of a message is no draft")
        _ = press(.deleteToStart, .text("Hello"), in: &state)
        #expect(press(.enter, in: &state) == [.change(.edit("m4", text: "Hello"))])
        #expect(texts(state).last == "> ")
        _ = state.handle(.unchanged("m4", text: "Hello", .init(code: "text_invalid", message: "No")))
        #expect(texts(state).last == "> Hello" && texts(state).contains("No"))
        _ = press(.escape, .escape, in: &state)
        #expect(texts(state).last == "> ")
    }

    @Test func `deletes only after a yes`() throws {
        var state = try state()
        _ = press(.up, .text("d"), in: &state)
        #expect(texts(state).contains { $0.hasPrefix("Delete this message for everybody?") })
        #expect(press(.enter, in: &state) == [])
        #expect(press(.text("d"), .text("y"), in: &state) == [.change(.delete("m5"))])
    }

    @Test func `reacts with a digit or an emoji, and takes an own one back`() throws {
        var state = try state()
        #expect(press(.up, .text("+"), .text("1"), in: &state) == [.change(.react("m5", emoji: "👍"))])
        #expect(press(.up, .text("+"), .text("🦊"), in: &state) == [.change(.react("m5", emoji: "🦊"))])
        #expect(press(.up, .text("+"), .escape, in: &state) == [])
        var page = try page(1...5)
        page.messages[4].reactions = [
            try read(#"{"emoji":"👍","users":["\#(Self.alice)"],"names":["Alice"]}"#)
        ]
        _ = state.handle(.newest(page))
        #expect(press(.text("+"), .text("1"), in: &state) == [.change(.withdraw("m5", emoji: "👍"))])
    }

    @Test func `pins, saves and asks who read`() throws {
        var state = try state()
        #expect(press(.up, .text("p"), in: &state) == [.change(.pin("m5"))])
        _ = press(.up, .text("s"), in: &state)
        #expect(texts(state).contains("That message carries no files."))
        var page = try page(1...4)
        page.messages[3].files = [
            try read(
                #"{"id":"f","name":"a.pdf","size":1,"media_type":"x/y","kind":"file","state":"here","received":1}"#)
        ]
        page.messages.append(try message(5, by: Self.alice))
        _ = state.handle(.newest(page))
        #expect(press(.text("w"), in: &state) == [.loadReceipts(of: "m5")])
        _ = state.handle(.told(["read      Bob"]))
        #expect(texts(state).contains("read      Bob"))
        #expect(press(.up, .text("s"), in: &state) == [.save(page.messages[3].files, into: nil)])
    }

    @Test func `keeps the chosen message in view, and loads older ones at the top`() throws {
        var state = try state(41...100, rows: 10)
        for _ in 0..<30 { _ = press(.up, in: &state) }
        #expect(texts(state).contains { $0.hasPrefix(">10:11<") })
        _ = press(.home, in: &state)
        #expect(texts(state).contains { $0.hasPrefix(">10:41<") })
        _ = press(.end, in: &state)
        #expect(texts(state).contains { $0.hasPrefix(">10:40<") })
        var page = try page(41...60)
        page.earlier = "m41"
        var other = ChatState(try conversation(), me: Self.alice, size: ChatSize(rows: 10, columns: 40))
        _ = other.handle(.connected)
        _ = other.handle(.newest(page))
        _ = press(.up, .home, in: &other)
        #expect(press(.up, in: &other) == [.loadEarlier(before: "m41")])
        #expect(press(.up, in: &other) == [])
    }

    @Test func `completes names, commands and paths`() throws {
        var state = try state()
        _ = press(.text("Ahoy b"), .tab, in: &state)
        #expect(texts(state).last == "> Ahoy @Bob [31m ")
        _ = press(.deleteToStart, .text("/inf"), .tab, in: &state)
        #expect(texts(state).last == "> /info ")
        _ = press(.deleteToStart, .text("/send ti"), in: &state)
        #expect(press(.tab, in: &state) == [.findPaths("ti")])
        _ = state.handle(.paths(["tides.pdf"], completing: "ti"))
        #expect(texts(state).last == "> /send tides.pdf")
        _ = press(.text(" the tides"), in: &state)
        #expect(press(.enter, in: &state) == [.sendFile(path: "tides.pdf", text: "the tides", replyTo: nil)])
    }

    @Test func `lets who cannot write read, and answer whether they want to be there`() throws {
        var state = try state()
        _ = state.handle(.conversation(try conversation(isMember: false)))
        _ = press(.text("no"), in: &state)
        _ = press(.text("/accept"), in: &state)
        #expect(texts(state).last == "> /accept")
        #expect(press(.enter, in: &state) == [.wish(.answer(accepting: true))])
        _ = press(.up, .text("r"), in: &state)
        #expect(!texts(state).contains { $0.contains("replying") })
    }

    @Test func `is asked before a group is left`() throws {
        var state = try state()
        _ = press(.text("/leave"), in: &state)
        #expect(press(.enter, in: &state) == [])
        #expect(texts(state).contains("If you are sure: /leave yes"))
        _ = press(.text("/leave yes"), in: &state)
        #expect(press(.enter, in: &state) == [.wish(.leave(successor: nil, archives: true))])
    }

    @Test func `suspends and opens an editor with what was typed`() throws {
        var state = try state()
        _ = press(.text("Dear"), in: &state)
        #expect(press(.suspend, in: &state) == [.keepDraft("Dear"), .suspend])
        #expect(press(.openEditor, in: &state) == [.openEditor("Dear")])
        _ = state.handle(.written("Dear Bob,\nhello\u{1B}[2J"))
        #expect(texts(state).last == "> Dear Bob,⏎hello[2J")
    }
}
