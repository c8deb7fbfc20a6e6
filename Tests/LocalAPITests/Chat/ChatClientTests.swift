import Foundation
import LocalAPIModel
import Testing

@testable import moot

@Suite("A chat with all its conversations")
struct ChatClientTests: ChatSamples {
    /// In the conversation "Ship", with "Bots" and "Night Watch" next to it.
    private func client(rows: Int = 10, columns: Int = 60) throws -> ChatClient {
        var client = ChatClient(me: Self.alice, size: ChatSize(rows: rows, columns: columns))
        _ = client.handle(.connected)
        _ = client.handle(
            .list([
                try conversation("c", "Ship"), try conversation("d", "Bots", unread: 2),
                try conversation("e", "Night Watch"),
            ]))
        _ = client.handle(.opened(try conversation("c", "Ship"), unread: nil, at: ChatPlace(conversation: "c")))
        _ = client.handle(.conversation("c", .newest(try page(1...20))))
        return client
    }

    private func texts(_ client: ChatClient) -> [String] { client.frame.lines.map(\.text) }

    private func type(_ text: String, _ client: inout ChatClient) -> [ChatClient.Effect] {
        client.handle(.key(.text(text))) + client.handle(.key(.enter))
    }

    @Test func `begins with the list, and opens what is chosen`() throws {
        var client = ChatClient(me: Self.alice, size: ChatSize(rows: 8, columns: 60))
        #expect(client.handle(.connected) == [.loadList])
        #expect(texts(client)[1] == "Loading…")
        _ = client.handle(.list([]))
        #expect(texts(client)[1].hasPrefix("There are no conversations yet"))
        _ = client.handle(.list([try conversation("c", "Ship"), try conversation("d", "Bots", unread: 2)]))
        #expect(texts(client)[1].hasPrefix("> 1 Ship"))
        #expect(texts(client)[2].hasPrefix("  2 Bots") && texts(client)[2].hasSuffix(" 2"))
        _ = client.handle(.key(.escape))
        #expect(client.picker != nil, "there is nothing behind it")
        #expect(client.handle(.key(.down)) + client.handle(.key(.enter)) == [.open(ChatPlace(conversation: "d"))])
        let effects = client.handle(
            .opened(try conversation("d", "Bots", unread: 2), unread: "m1", at: ChatPlace(conversation: "d")))
        #expect(
            effects == [
                .show("d"), .conversation("d", .loadConversation), .conversation("d", .loadNewest(limit: 52)),
            ])
        #expect(texts(client)[0].hasPrefix(" Bots  2 members"))
    }

    @Test func `finds a conversation by a part of its name`() throws {
        var client = try client()
        #expect(type("/list", &client) == [])
        #expect(type("watch", &client) == [.open(ChatPlace(conversation: "e"))])
        // Gives up what was asked for.
        _ = client.handle(.key(.escape))
        _ = client.handle(.key(.deleteToStart))
        #expect(type("nothing", &client) == [])
        #expect(texts(client).contains("Nothing fits."))
        _ = client.handle(.key(.escape))
        #expect(client.picker == nil)
        #expect(type("/go bots", &client) == [.open(ChatPlace(conversation: "d"))])
        _ = client.handle(.key(.escape))
        #expect(type("/go Old Times", &client) == [.open(ChatPlace(conversation: "Old Times"))])
        _ = client.handle(.key(.escape))
        _ = client.handle(.key(.text("/go ni")))
        _ = client.handle(.key(.tab))
        #expect(texts(client).last == "> /go Night Watch")
    }

    @Test func `what is typed while another conversation is asked for is for that one`() throws {
        var client = try client()
        _ = client.handle(.key(.text("Half")))
        #expect(client.handle(.key(.conversation(2))) == [.open(ChatPlace(conversation: "d"))])
        #expect(type("hello", &client) == [], "nothing of it goes to the one that is still shown")
        let effects = client.handle(
            .opened(try conversation("d", "Bots"), unread: nil, at: ChatPlace(conversation: "d")))
        #expect(effects.contains(.conversation("d", .send("hello", replyTo: nil))))
    }

    @Test func `what was typed for a conversation that is not there is sent to nobody`() throws {
        var client = try client()
        _ = type("/go Nowhere", &client)
        _ = type("hello", &client)
        let detail = ErrorDescription.Detail(code: "conversation_not_found", message: "Conversation not found")
        #expect(
            !client.handle(.failed(detail)).contains { if case .conversation(_, .send) = $0 { true } else { false } })
        #expect(client.open?.composer.input.text == "hello")
    }

    @Test func `a command that brings a conversation takes no line away`() throws {
        var client = try client()
        _ = client.handle(.key(.text("Half")))
        _ = client.handle(.opened(try conversation("z", "Zoo"), unread: nil, at: ChatPlace(conversation: "z")))
        #expect(client.open?.composer.input.text == "Half" && client.open?.conversation.id != "z")
    }

    @Test func `goes to the neighbors and by number, and keeps what was begun`() throws {
        var client = try client()
        _ = client.handle(.key(.text("Half")))
        #expect(client.handle(.key(.conversationAfter)) == [.open(ChatPlace(conversation: "d"))])
        #expect(client.handle(.key(.conversationBefore)) == [.open(ChatPlace(conversation: "e"))])
        #expect(client.handle(.key(.conversation(3))) == [.open(ChatPlace(conversation: "e"))])
        #expect(client.handle(.key(.conversationUnread)) == [.open(ChatPlace(conversation: "d"))])
        let late = client.handle(.opened(try conversation("e"), unread: nil, at: ChatPlace(conversation: "e")))
        #expect(late == [], "something else is wanted by now")
        let effects = client.handle(
            .opened(try conversation("d", "Bots"), unread: nil, at: ChatPlace(conversation: "d")))
        #expect(effects.prefix(3) == [.conversation("c", .keepDraft("Half")), .loadEntry("c"), .show("d")])
        #expect(client.handle(.conversation("c", .newest(try page(1...30)))) == [], "it is not shown any more")
    }

    @Test func `tells in the title what is new elsewhere, rings for the user's name, and forgets what was read`() throws
    {
        var client = try client()
        #expect(texts(client)[0].hasSuffix("[2 Bots 2] "))
        #expect(texts(client)[0].displayWidth == 60)
        var mention = try message(1, "@Alice", in: "e")
        mention.mentions = [Self.alice]
        #expect(client.handle(.node(try event(1, mention))) == [.ring])
        #expect(texts(client)[0].hasSuffix("[3 Night Watch @1] [2 Bots 2] "))
        let changed = try read(#"{"id":2,"type":"conversation","conversation":"e"}"#, as: NodeEvent.self)
        #expect(client.handle(.node(changed)) == [.loadEntry("e")])
        #expect(client.handle(.node(changed)) == [], "it is on its way")
        #expect(client.handle(.entry(try conversation("e", "Night Watch"))) == [.loadEntry("e")])
        #expect(texts(client)[0].hasSuffix("[2 Bots 2] "))
        let unknown = try event(3, try message(1, in: "g"))
        #expect(client.handle(.node(unknown)) == [.loadEntry("g")])
        #expect(client.handle(.missed("g")) == [])
        #expect(client.handle(.node(unknown)) == [.loadEntry("g")])
    }

    @Test func `reads nothing of what a list covers`() throws {
        var client = try client()
        _ = type("/list", &client)
        #expect(client.handle(.conversation("c", .newest(try page(1...21)))) == [])
        #expect(client.handle(.key(.escape)) == [.conversation("c", .markRead(upTo: "m21"))])
        #expect(client.handle(.key(.escape)) == [])
    }

    @Test func `goes to what a search found, and back`() throws {
        var client = try client()
        #expect(type("/search engines", &client) == [.fulfill(.search("engines"), in: "c")])
        var page = try read(#"{"hits":[]}"#, as: SearchPage.self)
        _ = client.handle(.found(page, words: "engines"))
        #expect(texts(client)[1] == "Nothing was found.")
        let hit = try message(7, "Engines are warm", in: "d")
        page.hits = [SearchHit(message: hit, title: "Bots", excerpt: "Engines\u{1B}[2J are warm")]
        _ = client.handle(.found(page, words: "engines"))
        #expect(
            texts(client)[1].hasSuffix("Bots, Bob: Engines[2J are warm") || texts(client)[1].contains("Bots, Bob: "))
        #expect(client.handle(.key(.enter)) == [.open(ChatPlace(conversation: "d", message: "m7"))])
        _ = client.handle(.failed(.init(code: "not_found", message: "Conversation not found")))
        #expect(texts(client).contains("Conversation not found"))
    }

    @Test func `shows the commands, and begins the one that is chosen`() throws {
        var client = try client(rows: 24, columns: 80)
        #expect(type("/help", &client) == [])
        #expect(texts(client)[1].hasPrefix("> /reply TEXT"))
        _ = type("duration", &client)
        #expect(client.picker == nil)
        #expect(texts(client).last == "> /mute ")
    }

    @Test func `does what is wished where it is wished`() throws {
        var client = try client()
        #expect(
            type("/create \"Night Shift\" Bob", &client) == [
                .fulfill(.create(name: "Night Shift", people: ["Bob"]), in: "c")
            ])
        #expect(type("/mute 8h", &client) == [.fulfill(.mute("8h"), in: "c")])
        _ = type("/list", &client)
        #expect(type("/direct Bob", &client) == [.fulfill(.direct("Bob"), in: "c")])
        #expect(type("/pin", &client) == [])
        #expect(texts(client).contains("/pin is about a conversation: choose one first."))
        #expect(type("/quit", &client) == [.quit])
    }

    @Test(arguments: [(20, 5), (60, 14), (120, 24), (400, 100), (1, 1), (3, 2)])
    func `fits into every window, also one that changes while something is chosen`(columns: Int, rows: Int) throws {
        var client = try client()
        for line in ["", "/list", "/help", "/search x"] {
            _ = type(line, &client)
            for size in [ChatSize(rows: rows, columns: columns), ChatSize(rows: 10, columns: 95)] {
                _ = client.handle(.resized(size))
                for key in [Key.down, .pageDown, .up, .end, .text("世"), .backspace] {
                    _ = client.handle(.key(key))
                    let lines = client.frame.lines
                    #expect(lines.count == size.rows)
                    #expect(lines.allSatisfy { $0.text.displayWidth <= max(size.columns, 4) })
                }
            }
            _ = client.handle(.key(.escape))
        }
    }

    /// A screen with everything on it that people write for terminals instead of for people.
    private func fullScreen(_ size: ChatSize) throws -> ChatClient {
        var client = try client(rows: size.rows, columns: size.columns)
        _ = client.handle(
            .entry(try conversation("e", "\\u202eNight\\u0007 \\u001b[31mWatch 世界 and its long name", unread: 1_200)))
        var page = try page(1...6)
        page.messages[1] = try message(
            2, "Look: https://example.org/\\u202egnp.exe \\u001b]8;;x\\u0007 z\\u200b\\u200bero")
        page.messages[2] = try message(
            3, "世界 👩‍👩‍👧 e\\u0301 and so on, a text that is longer than a line of any small terminal", by: Self.alice)
        page.messages[3].replyTo = "m2"
        page.messages[3].quote = try read(
            #"{"id":"m2","sender":"b","sender_name":"Bob","text":"Look:","readability":"open"}"#)
        page.messages[4].files = [
            try read(
                #"{"id":"f","name":"tides\u202efdp.exe","size":81920,"media_type":"x/y","kind":"file","state":"fetching","received":10}"#
            )
        ]
        page.messages[5].mentions = [Self.alice]
        _ = client.handle(.conversation("c", .newest(page)))
        _ = client.handle(.key(.up))
        _ = client.handle(.key(.up))
        return client
    }

    @Test(arguments: [
        ChatSize(rows: 5, columns: 20), ChatSize(rows: 24, columns: 80), ChatSize(rows: 30, columns: 120),
    ])
    func `looks as it did`(size: ChatSize) throws {
        let client = try fullScreen(size)
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/screens/\(size.columns)x\(size.rows).txt")
        let shown = texts(client).joined(separator: "\n") + "\n"
        let committed = try? String(contentsOf: file, encoding: .utf8)
        #expect(shown == committed, "If it is meant to look so:\n\(shown)")
        #expect(
            !shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x202A...0x202E).contains($0.value) })
        #expect(texts(client).allSatisfy { $0.displayWidth <= size.columns })
    }
}
