import LocalAPIModel
import Testing

@testable import moot

@Suite("The list of conversations in a chat")
struct ConversationListTests: ChatSamples {
    private func list() throws -> ConversationList {
        var list = ConversationList()
        list.take([
            try conversation("c", "Ship"), try conversation("d", "Bots", unread: 2),
            try conversation("e", "Night Watch"), try conversation("f", "Night Shift"),
        ])
        list.shown = "c"
        return list
    }

    private func mention(_ number: Int, in conversation: String) throws -> MessageDescription {
        var message = try message(number, "@Alice", in: conversation)
        message.mentions = [Self.alice]
        return message
    }

    @Test func `counts what comes elsewhere, and rings for what names the user`() throws {
        var list = try list()
        #expect(list.note(try message(1, in: "c"), unread: nil, mentioning: Self.alice) == false)
        #expect(list.note(try message(2, in: "d"), unread: nil, mentioning: Self.alice) == false)
        #expect(list.note(try message(3, by: Self.alice, in: "d"), unread: nil, mentioning: Self.alice) == false)
        #expect(list.entries.map(\.mark) == ["", "3", "", ""])
        #expect(list.note(try mention(4, in: "e"), unread: nil, mentioning: Self.alice) == true)
        #expect(list.note(try mention(5, in: "c"), unread: nil, mentioning: Self.alice) == false, "it is on the screen")
        #expect(list.note(try mention(6, in: "x"), unread: nil, mentioning: Self.alice) == nil)
        #expect(list.entries.map(\.mark) == ["", "3", "@1", ""])
        #expect(list.note == "[3 Night Watch @1] [2 Bots 3] ")
        #expect(list.nextUnread == "e")
        list.take(try conversation("e", "Night Watch"))
        #expect(list.nextUnread == "d" && list.entries[2].mark.isEmpty)
    }

    @Test func `is silent about what is muted, but for mentions that are wanted`() throws {
        var list = try list()
        var muted = try conversation("d", "Bots")
        muted.mutedUntil = "forever"
        list.take(muted)
        #expect(list.note(try mention(1, in: "d"), unread: nil, mentioning: Self.alice) == false)
        muted.mentionsOnly = true
        list.take(muted)
        #expect(list.note(try mention(2, in: "d"), unread: 7, mentioning: Self.alice) == true)
        #expect(list.entries[1].mark == "@7")
    }

    @Test func `keeps its order, so that a number means the same one`() throws {
        var list = try list()
        list.take([
            try conversation("g", "New"), try conversation("f", "Night Shift"), try conversation("c", "Ship"),
            try conversation("e", "Night Watch"),
        ])
        #expect(list.entries.map(\.id) == ["c", "e", "f", "g"])
        #expect(list.conversation(2) == "e" && list.conversation(9) == nil)
        #expect(list.neighbor(1) == "e" && list.neighbor(-1) == "g")
        var archived = try conversation("e", "Night Watch")
        archived.archived = true
        list.take(archived)
        #expect(list.entries.map(\.id) == ["c", "f", "g"])
    }

    @Test(
        arguments: [("ship", "c"), ("NIGHT W", "e"), ("shift", "f"), ("night", nil), ("x", nil)] as [(String, String?)])
    func `finds a conversation by what is typed of its name`(name: String, id: String?) throws {
        #expect(try list().conversation(named: name) == id)
    }

    @Test(arguments: ["0123abcd0123", "Notes to yourself", "Deleted User"])
    func `leaves what is no name to the node`(name: String) throws {
        var list = try list()
        list.take(try conversation("x", "\(name), a group", unread: 0))
        #expect(list.conversation(named: name) == nil)
    }

    @Test(arguments: [1, 2, 3, 10])
    func `fits next to the messages, with the one that is shown in it`(rows: Int) throws {
        var list = try list()
        list.take(try conversation("d", "\\u202e世界\\u0007 and a name that goes on", unread: 5_000))
        list.shown = "f"
        let side = list.side(rows: rows)
        #expect(side.count == rows)
        #expect(side.allSatisfy { $0.text.displayWidth == ConversationList.sideWidth })
        #expect(side.contains { $0.text.contains("Night Shift") })
        #expect(side.allSatisfy { !$0.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } })
    }
}
