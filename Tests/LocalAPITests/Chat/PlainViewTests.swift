import LocalAPIModel
import Testing

@testable import moot

@Suite("A chat as lines")
struct PlainViewTests: ChatSamples {
    private func client() throws -> ChatClient {
        var client = ChatClient(me: Self.alice, size: ChatSize(rows: PlainView.rows, columns: 80))
        _ = client.handle(.connected)
        _ = client.handle(.list([try conversation("c", "Ship"), try conversation("d", "Bots", unread: 2)]))
        return client
    }

    @Test func `lists the conversations, and opens one by its number`() throws {
        var client = try client()
        var view = PlainView(output: Output(isJSON: false, isQuiet: false))
        #expect(view.lines(for: client).dropFirst().prefix(2) == ["1. 1 Ship", "2. 2 Bots  (2)"])
        #expect(PlainView.keys(for: "2", choosing: true) == [.conversation(2)])
        #expect(client.handle(.key(.conversation(2))) == [.open(ChatPlace(conversation: "d"))])
        #expect(PlainView.keys(for: "2", choosing: false) == [.end, .deleteToStart, .text("2"), .enter])
        #expect(PlainView.keys(for: "", choosing: true) == [.escape] && PlainView.keys(for: "", choosing: false) == [])
        #expect(view.lines(for: client) == ["* connected to the node"] || view.lines(for: client).isEmpty)
    }

    @Test func `says each message once, and again when it changed, and all of it is read`() throws {
        var client = try client()
        var view = PlainView(output: Output(isJSON: false, isQuiet: false))
        _ = client.handle(
            .opened(try conversation("c", "Ship", unread: 30), unread: "m11", at: ChatPlace(conversation: "c")))
        #expect(
            client.handle(.conversation("c", .newest(try page(1...40)))) == [.conversation("c", .markRead(upTo: "m40"))]
        )
        let first = view.lines(for: client)
        #expect(first.first == "── Ship, 2 members; /help tells the commands ──")
        #expect(first.count { $0.hasPrefix("[") } == 40)
        #expect(first.contains("── new messages ──"))
        #expect(view.lines(for: client) == [])
        var page = try page(1...41)
        page.messages[39] = try message(40, "otherwise\\u001b[2J")
        _ = client.handle(.conversation("c", .newest(page)))
        let second = view.lines(for: client)
        #expect(second.count == 2)
        #expect(second[0].hasPrefix("* changed: [") && second[0].hasSuffix("Bob: otherwise[2J"))
        #expect(second[1].hasSuffix("Bob: text 41"))
    }

    @Test func `says only the end of what was read before`() throws {
        var client = try client()
        var view = PlainView(output: Output(isJSON: false, isQuiet: false))
        _ = client.handle(.opened(try conversation(), unread: nil, at: ChatPlace(conversation: "c")))
        _ = client.handle(.conversation("c", .newest(try page(1...40))))
        #expect(view.lines(for: client).count { $0.hasPrefix("[") } == 10)
    }

    @Test func `says a list when it has come, and what a command says again after each line`() throws {
        var client = ChatClient(me: Self.alice, size: ChatSize(rows: PlainView.rows, columns: 80))
        var view = PlainView(output: Output(isJSON: false, isQuiet: false))
        #expect(view.lines(for: client).contains("Loading…"))
        _ = client.handle(.list([try conversation("c", "Ship")]))
        #expect(view.lines(for: client).contains("1. 1 Ship"))
        var ship = try conversation("c", "Ship")
        ship.draft = "Dear\nBob"
        _ = client.handle(.opened(ship, unread: nil, at: ChatPlace(conversation: "c")))
        #expect(view.lines(for: client).contains("* you had begun: Dear Bob"))
        for _ in 1...2 {
            view.forgetPanel()
            for key in PlainView.keys(for: "/reply 9 Aye", choosing: false) { _ = client.handle(.key(key)) }
            #expect(view.lines(for: client) == ["There is no such message to answer."])
        }
        for key in PlainView.keys(for: "/quit", choosing: false).dropLast() { _ = client.handle(.key(key)) }
        #expect(client.handle(.key(.enter)).contains(.quit), "what was refused is no part of the next line")
    }
}
