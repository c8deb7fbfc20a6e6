import LocalAPIModel
import LocalAPIServer
import Node
import Testing

@testable import moot

@Suite("A chat on a screen")
struct ChatStateTests: ChatSamples {
    private func state(_ phase: String, delivered: Int, read: Int, of recipients: Int) throws -> DeliveryState {
        let receipt = #"{"user":"b","at":"2026-11-21T10:00:00.000Z"}"#
        let list = { (count: Int) in Array(repeating: receipt, count: count).joined(separator: ",") }
        return try self.read(
            """
            {"phase":"\(phase)","recipients":\(recipients),"delivered_to":[\(list(delivered))],"read_by":[\(list(read))]}
            """)
    }

    @Test func `shows how far own messages have come, and asks again when that changes`() throws {
        var state = try state(rows: 12, columns: 60)
        var page = try page(1...2)
        for (number, delivery) in [
            try self.state("pending", delivered: 0, read: 0, of: 2),
            try self.state("delivered", delivered: 1, read: 0, of: 2),
            try self.state("delivered", delivered: 2, read: 0, of: 2),
            try self.state("read", delivered: 2, read: 1, of: 2), try self.state("read", delivered: 2, read: 2, of: 2),
        ].enumerated() {
            var own = try message(number + 3, by: Self.alice)
            own.state = delivery
            page.messages.append(own)
        }
        _ = state.handle(.newest(page))
        let ends = texts(state).filter { $0.contains("Alice: ") }.compactMap { $0.split(separator: "  ").last }
        #expect(
            ends == ["… not delivered yet", "✓ delivered to 1 of 2", "✓ delivered", "✓✓ read by 1 of 2", "✓✓ read"])
        #expect(!texts(state).contains { $0.contains("Bob: ") && $0.contains("✓") })
        #expect(state.handle(.node(try event(8, readers: [Self.alice]))) == [], "what the user reads")
        // All but one have not come to everybody.
        #expect(state.handle(.node(try event(9, readers: [Self.alice, Self.bob]))) == [.loadNewest(limit: 55)])
    }

    private func state(
        rows: Int = 10, columns: Int = 40, seeking message: String? = nil, unread: (first: String, count: Int)? = nil,
        draft: String? = nil
    ) throws -> ChatState {
        var conversation = try conversation(unread: unread?.count ?? 0)
        conversation.draft = draft
        var state = ChatState(
            conversation, me: Self.alice, size: ChatSize(rows: rows, columns: columns), firstUnread: unread?.first,
            seeking: message)
        _ = state.handle(.connected)
        return state
    }

    private func texts(_ state: ChatState) -> [String] { state.frame.lines.map(\.text) }

    private func type(_ text: String, _ state: inout ChatState) -> [ChatState.Effect] {
        _ = state.handle(.key(.text(text)))
        return state.handle(.key(.enter))
    }

    @Test func `shows the title, the newest messages and the line that is typed`() throws {
        var state = try state()
        #expect(state.handle(.newest(try page(1...20, earlier: "m1"))) == [.markRead(upTo: "m20")])
        _ = state.handle(.key(.text("Ahoy")))
        let lines = texts(state)
        #expect(lines.count == 10)
        #expect(lines[0].hasPrefix(" Ship  2 members, 2 online"))
        #expect(lines[0].displayWidth == 40)
        #expect(lines[8].hasSuffix("Bob: text 20"))
        #expect(lines[1].hasSuffix("Bob: text 13"))
        #expect(lines[9] == "> Ahoy")
        #expect(state.frame.cursorRow == 9 && state.frame.cursorColumn == 6)
    }

    @Test func `sends what is typed, and gives back what was refused`() throws {
        var state = try state()
        #expect(type("Ahoy", &state) == [.send("Ahoy", replyTo: nil)])
        #expect(texts(state).last == "> ")
        _ = state.handle(
            .refused(
                text: "Ahoy", replyTo: nil, .init(code: "disk_full", message: "The disk is full", hint: "Make room")))
        #expect(texts(state).last == "> Ahoy")
        #expect(texts(state).contains("The disk is full") && texts(state).contains("Make room"))
        #expect(type("", &state) == [.send("Ahoy", replyTo: nil)])
        #expect(!texts(state).contains("The disk is full"))
    }

    @Test func `answers the last message of somebody else, or one before it`() throws {
        var state = try state()
        var messages = try page(1...3)
        messages.messages.append(try message(4, by: Self.alice))
        _ = state.handle(.newest(messages))
        #expect(type("/reply Aye", &state) == [.send("Aye", replyTo: "m3")])
        #expect(type("/reply 2 Aye", &state) == [.send("Aye", replyTo: "m2")])
        #expect(type("/reply 4 Aye", &state) == [])
        #expect(texts(state).last == "> /reply 4 Aye")
    }

    @Test func `pins what a reply answers when it is typed, shows it, and whatever comes does not move it`() throws {
        var state = try state(columns: 60)
        _ = state.handle(.newest(try page(1...3)))
        _ = state.handle(.key(.text("/reply ")))
        #expect(texts(state)[8] == "↳ replying to Bob: text 3")
        _ = state.handle(.key(.text("2 ")))
        #expect(texts(state)[8] == "↳ replying to Bob: text 2")
        _ = state.handle(.key(.text("yes")))
        _ = state.handle(.newest(try page(1...5)))
        #expect(texts(state)[8] == "↳ replying to Bob: text 2")
        #expect(state.handle(.key(.enter)) == [.send("yes", replyTo: "m2")])
        #expect(!texts(state).contains { $0.contains("replying") })
        // What was refused answers the same message, whatever its number is now.
        _ = state.handle(.newest(try page(1...6)))
        _ = state.handle(
            .refused(text: "yes", replyTo: "m2", .init(code: "disk_full", message: "The disk is full")))
        #expect(texts(state).last == "> /reply 5 yes")
        #expect(state.handle(.key(.enter)) == [.send("yes", replyTo: "m2")])
    }

    @Test func `says what a reply without a text lacks`() throws {
        var state = try state(columns: 80)
        _ = state.handle(.newest(try page(1...3)))
        for line in ["/reply", " 2"] {
            #expect(type(line, &state) == [])
            #expect(texts(state).contains { $0.hasPrefix("Say what you answer: /reply TEXT") })
        }
        #expect(texts(state).last == "> /reply 2", "what was begun is not to be typed again")
    }

    @Test func `keeps what was typed as a draft at a pause and at the end, and goes on with it`() throws {
        var state = try state()
        #expect(state.handle(.paused) == [])
        _ = state.handle(.key(.text("Dear Bob")))
        #expect(state.handle(.paused) == [.keepDraft("Dear Bob")])
        #expect(state.handle(.key(.interrupt)) == [.quit], "the node has it")
        _ = state.handle(.key(.text(",")))
        #expect(state.handle(.key(.interrupt)) == [.keepDraft("Dear Bob,"), .quit])

        var next = try self.state(draft: "Dear Bob,")
        #expect(texts(next).last == "> Dear Bob,")
        #expect(next.handle(.key(.enter)) == [.send("Dear Bob,", replyTo: nil)])
        #expect(next.handle(.key(.interrupt)) == [.quit], "the node forgets it with what is sent")
        var emptied = try self.state(draft: "Dear Bob,")
        _ = emptied.handle(.key(.deleteToStart))
        #expect(emptied.handle(.key(.interrupt)) == [.keepDraft(""), .quit])
    }

    @Test func `shows nothing of a draft that was written for the terminal, and leaves it as it is`() throws {
        var state = try state(draft: "a\u{1B}[2Jb\nc ")
        #expect(texts(state).last == "> a[2Jb⏎c ")
        #expect(state.handle(.key(.interrupt)) == [.quit])
    }

    @Test func `leaves a line that is no command where it was typed, and keeps it`() throws {
        var state = try state(columns: 120)
        #expect(type("/home/user is a path", &state) == [])
        #expect(texts(state).last == "> /home/user is a path")
        #expect(texts(state).contains { $0.hasSuffix("a text begins with two slashes: //home/user") })
        #expect(state.handle(.key(.interrupt)) == [.keepDraft("/home/user is a path"), .quit])
        #expect(texts(try self.state(draft: "/home/user is a path")).last == "> //home/user is a path")
    }

    @Test func `begins where the unread begin, and what was not on the screen was not read`() throws {
        var state = try state(unread: ("m21", 40))
        #expect(state.handle(.newest(try page(1...60))) == [.markRead(upTo: "m26")])
        #expect(texts(state)[1] == "── new messages ──")
        #expect(texts(state)[2].hasSuffix("text 21") && texts(state)[7].hasSuffix("text 26"))
        #expect(state.handle(.key(.pageDown)) == [.markRead(upTo: "m32")])
        #expect(state.handle(.key(.pageUp)) == [], "what was read stays read")
        _ = state.handle(.newest(try page(1...61)))
        for _ in 0..<10 { _ = state.handle(.key(.pageDown)) }
        #expect(state.lastRead?.message == "m61")
        #expect(texts(state).last { !$0.hasPrefix(">") }?.hasSuffix("text 61") == true)
    }

    @Test func `shows where the unread begin where they all fit, until the user says something`() throws {
        var state = try state(unread: ("m59", 2))
        #expect(state.handle(.newest(try page(1...60))) == [.markRead(upTo: "m60")])
        #expect(texts(state)[6] == "── new messages ──")
        #expect(texts(state)[8].hasSuffix("text 60"))
        _ = type("Hello", &state)
        #expect(!texts(state).contains("── new messages ──"))
    }

    @Test func `loads as much as is unread, and page by page what that does not reach`() throws {
        let conversation = try conversation(unread: 70)
        var state = ChatState(
            conversation, me: Self.alice, size: ChatSize(rows: 10, columns: 40), firstUnread: "m5")
        #expect(state.handle(.connected) == [.loadConversation, .loadNewest(limit: 120)])
        #expect(state.handle(.newest(try page(41...60, earlier: "m41"))) == [.loadEarlier(before: "m41")])
        #expect(state.handle(.earlier(try page(1...40), before: "m41")) == [.markRead(upTo: "m10")])
        #expect(texts(state)[1] == "── new messages ──")
    }

    @Test func `tells whoever reads older messages where new ones begin`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...60)))
        _ = state.handle(.key(.pageUp))
        #expect(state.handle(.newest(try page(1...62))) == [])
        #expect(state.handle(.key(.pageDown)) == [])
        _ = state.handle(.key(.pageDown))
        #expect(texts(state)[6] == "── new messages ──")
        #expect(state.lastRead?.message == "m62")
    }

    @Test func `marks what came late and stands before what was read`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(2...9)))
        #expect(state.handle(.newest(try page(2...9))) == [])
        #expect(state.handle(.newest(try page(1...9))) == [.markRead(upTo: "m9")])
    }

    @Test func `stays open for reading to who was removed, with nothing to type into`() throws {
        var state = try state(columns: 70)
        _ = state.handle(.newest(try page(1...60)))
        _ = state.handle(.key(.text("But ")))
        _ = state.handle(.conversation(try conversation(isMember: false)))
        #expect(texts(state).last == "You are not in this group any more: you can read, not write.")
        #expect(state.handle(.key(.text("why?"))) == [] && state.handle(.key(.enter)) == [])
        _ = state.handle(.key(.pageUp))
        #expect(texts(state).contains { $0.contains("newer messages below") })
        #expect(state.handle(.key(.interrupt)) == [.keepDraft("But"), .quit])
        _ = state.handle(.conversation(try conversation()))
        #expect(texts(state).last == "> But ")
    }

    @Test func `shows files as elsewhere, and what is answered as the beginning of the answer`() throws {
        var state = try state(columns: 60)
        var page = try page(1...2)
        page.messages[0].files = [
            try read(
                #"{"id":"f","name":"tides.pdf","size":81920,"media_type":"application/pdf","kind":"file","state":"here","received":81920}"#
            )
        ]
        page.messages[1].replyTo = "m1"
        page.messages[1].quote = try read(
            #"{"id":"m1","sender":"b","sender_name":"Bob","text":"text 1","readability":"open"}"#)
        _ = state.handle(.newest(page))
        let shown = texts(state).suffix(5).dropLast()
        #expect(shown.map(\.self)[0].hasSuffix("Bob: text 1"))
        #expect(shown.map(\.self)[1] == "        [tides.pdf, 80.0 KiB, here]")
        #expect(shown.map(\.self)[2] == "╭─ Bob: text 1")
        #expect(shown.map(\.self)[3].hasSuffix("Bob: text 2"))
    }

    @Test func `asks for the newest again when something came, once at a time`() throws {
        var state = try state()
        let event = try read(#"{"id":7,"type":"message","conversation":"c"}"#, as: NodeEvent.self)
        let elsewhere = try read(#"{"id":8,"type":"message","conversation":"d"}"#, as: NodeEvent.self)
        _ = state.handle(.newest(try page(1...5)))
        #expect(state.handle(.node(elsewhere)) == [])
        #expect(state.handle(.node(event)) == [.loadNewest(limit: 55)])
        #expect(state.handle(.node(event)) == [])
        // What came meanwhile may not be in the page, so it is asked for again.
        #expect(state.handle(.newest(try page(1...6))).contains(.loadNewest(limit: 55)))
        #expect(state.handle(.newest(try page(1...7))) == [.markRead(upTo: "m7")])
    }

    @Test func `takes in what comes without asking for it, and asks where only the node knows its place`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...5)))
        #expect(state.handle(.node(try event(1, try message(7)))) == [.markRead(upTo: "m7")])
        #expect(texts(state).contains { $0.hasSuffix("text 7") })
        #expect(state.handle(.node(try event(2, try message(7, "again")))) == [])
        #expect(state.handle(.node(try event(3, try message(5, "corrected"), .messageChanged))) == [])
        #expect(texts(state).count { $0.hasSuffix("again") || $0.hasSuffix("corrected") } == 2)
        #expect(state.handle(.node(try event(4, try message(0), .messageChanged))) == [], "it is not here")
        #expect(state.handle(.node(try event(5, try message(6)))) == [.loadNewest(limit: 56)])
        // What came meanwhile is asked for again, for the page may be older.
        #expect(state.handle(.node(try event(6, try message(8)))) == [.markRead(upTo: "m8")])
        #expect(state.handle(.newest(try page(1...7))) == [.markRead(upTo: "m8"), .loadNewest(limit: 50)])
    }

    @Test func `asks for all of it again where other people decide, for any message may count otherwise`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...5)))
        #expect(state.handle(.conversation(try conversation(unread: 3))) == [])
        #expect(state.handle(.conversation(try conversation(isMember: false))) == [.loadNewest(limit: 55)])
    }

    @Test func `whoever reads older messages stays there when one comes, and finds where it begins`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...20)))
        _ = state.handle(.key(.pageUp))
        let read = Array(texts(state)[1..<7])
        #expect(state.handle(.node(try event(1, try message(21)))) == [])
        #expect(Array(texts(state)[1..<7]) == read)
        for _ in 0..<3 { _ = state.handle(.key(.pageDown)) }
        #expect(texts(state).contains("── new messages ──"))
    }

    @Test func `scrolls page by page, stays where it is when more comes, and returns`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...60)))
        _ = state.handle(.key(.pageUp))
        let read = Array(texts(state)[1..<7])
        #expect(texts(state)[8] == "7 newer messages below (Page Down)")
        #expect(read.last?.hasSuffix("text 52") == true || read.last?.hasSuffix("text 53") == true)
        _ = state.handle(.newest(try page(1...80)))
        #expect(Array(texts(state)[1..<7]) == read)
        _ = state.handle(.resized(ChatSize(rows: 10, columns: 60)))
        #expect(texts(state)[7].hasSuffix("text 53"))
        for _ in 0..<5 { _ = state.handle(.key(.pageDown)) }
        #expect(texts(state)[8].hasSuffix("Bob: text 80"))
    }

    @Test func `counts what is below also where the newest page begins before what is loaded`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(41...60, earlier: "m41")))
        _ = state.handle(.key(.pageUp))
        _ = state.handle(.newest(try page(1...61)))
        #expect(texts(state)[8] == "8 newer messages below (Page Down)")
    }

    @Test func `shows how a file is doing now, also where a page that was under way is older`() throws {
        var state = try state()
        var page = try page(1...3)
        page.messages[1].files = [try file(.fetching), try file(.fetching, id: "other")]
        _ = state.handle(.newest(page))
        #expect(texts(state).count { $0.contains("here") } == 0)
        #expect(state.handle(.node(try event(7, try file(.here)))) == [])
        #expect(texts(state).count { $0.contains("[tides.pdf, 80.0 KiB, here]") } == 1, "the other one is not")

        #expect(state.handle(.node(try event(8))) == [.loadConversation, .loadNewest(limit: 50)])
        #expect(state.handle(.node(try event(9, try file(.fetching, id: "other")))) == [])
        #expect(state.handle(.newest(page)) == [], "for a part of a file nothing is asked again")
        #expect(state.handle(.node(try event(10))) == [.loadConversation, .loadNewest(limit: 50)])
        #expect(state.handle(.node(try event(11, try file(.here)))) == [])
        #expect(state.handle(.newest(page)) == [.loadNewest(limit: 50)], "the page was read before")
    }

    @Test func `goes to the message it was told to begin at, wherever that is, and from there to the newest`() throws {
        var state = try state(seeking: "m115")
        #expect(state.handle(.newest(try page(941...960, earlier: "m941"))) == [.loadAround("m115")])
        #expect(state.handle(.newest(try page(941...960, earlier: "m941"))) == [], "once")
        #expect(state.handle(.around(try page(66...165, earlier: "m66", later: "m165"))) == [.markRead(upTo: "m118")])
        #expect(texts(state).contains { $0.hasSuffix("text 115") })
        #expect(texts(state).contains { $0.contains("Newer messages below") })
        let changed = try message(115, "text 115, corrected")
        #expect(state.handle(.node(try event(7, changed, .messageChanged))) == [])
        #expect(texts(state).contains { $0.hasSuffix("corrected") }, "what is on the screen is as it is now")

        var effects: [ChatState.Effect] = []
        while !effects.contains(.loadLater(after: "m165")) { effects += state.handle(.key(.pageDown)) }
        #expect(effects.count { $0 == .loadLater(after: "m165") } == 1)
        #expect(state.handle(.later(try page(166...960), after: "m165")) == [.loadNewest(limit: 945)])
        #expect(texts(state).contains { $0.contains("newer messages below") })
        #expect(state.handle(.key(.escape)) == [] && texts(state)[8].hasSuffix("text 960"))
    }

    @Test func `keeps a window around what is read far back, and nothing that comes moves it`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(9_941...9_960, earlier: "m9941")))
        var first = 9_941
        while first > 8_000 {
            guard case .loadEarlier(let cursor)? = state.handle(.key(.pageUp)).first else { continue }
            let before = try page((first - 100)...(first - 1), earlier: "m\(first - 100)")
            _ = state.handle(.earlier(before, before: cursor))
            first -= 100
            #expect(state.transcript.messages.count <= Transcript.maximumMessages)
        }
        let read = Array(texts(state)[1..<7])
        #expect(state.handle(.node(try event(7, try message(9_961)))) == [], "it is asked for when it is looked at")
        #expect(Array(texts(state)[1..<7]) == read)
        #expect(state.handle(.newest(try page(9_941...9_961))) == [] && Array(texts(state)[1..<7]) == read)
        #expect(state.handle(.key(.escape)) == [.loadNewest(limit: 50)])
        _ = state.handle(.newest(try page(9_912...9_961, earlier: "m9912")))
        #expect(texts(state)[8].hasSuffix("text 9961") && state.transcript.messages.count == 50)
    }

    @Test func `means by the newest message none that only seems to be`() throws {
        var state = try state(seeking: "m115")
        _ = state.handle(.newest(try page(941...960, earlier: "m941")))
        _ = state.handle(.around(try page(66...165, earlier: "m66", later: "m165")))
        for command in ["/edit Changed", "/delete", "/react 👍", "/who", "/save"] {
            #expect(type(command, &state) == [])
            #expect(texts(state).contains { $0.contains("Choose a message first") }, "\(command)")
            #expect(state.selection == nil)
        }
        #expect(type("/reply Never", &state) == [])
    }

    @Test func `more that comes at once than was asked for is below, and not read`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...60)))
        _ = state.handle(.key(.pageUp))
        let read = Array(texts(state)[1..<7])
        #expect(state.handle(.newest(try page(300...410, earlier: "m300"))) == [])
        #expect(Array(texts(state)[1..<7]) == read && state.lastRead?.message == "m60")
        #expect(state.transcript.later == "m60")
        // After a break the same is asked for again.
        #expect(state.handle(.connected).contains(.loadAround(state.anchor?.message ?? "")))
        var changed = try page(1...100, later: "m100")
        changed.messages[52].text = "text 53, corrected"
        _ = state.handle(.around(changed))
        #expect(texts(state).contains { $0.hasSuffix("corrected") })
        #expect(state.handle(.key(.escape)) == [.loadNewest(limit: 50)])
        #expect(texts(state).contains("Loading the newest messages…"))
        #expect(state.handle(.newest(try page(361...410, earlier: "m361"))) == [.markRead(upTo: "m410")])
    }

    @Test func `keeps no more than it must while somebody reads a page above the end`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...60)))
        _ = state.handle(.key(.pageUp))
        for last in stride(from: 100, through: 2_000, by: 50) {
            _ = state.handle(.newest(try page((last - 60)...last)))
        }
        #expect(state.transcript.messages.count <= Transcript.maximumMessages)
        #expect(texts(state).contains { $0.hasSuffix("text 53") })
    }

    @Test func `says so where the message it was told to begin at is not there`() throws {
        var state = try state(seeking: "m99")
        #expect(state.handle(.newest(try page(1...5))) == [.markRead(upTo: "m5")])
        #expect(texts(state).contains { $0.contains("not shown") })
        var other = try self.state(seeking: "m99")
        _ = other.handle(.newest(try page(41...60, earlier: "m41")))
        let refused = other.handle(.failed(.init(code: "message_not_found", message: "Message not found")))
        #expect(refused == [.markRead(upTo: "m60")])
    }

    @Test func `stays at the first line, and loads earlier pages before it gets there`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(41...60, earlier: "m41")))
        var asked: [ChatState.Effect] = []
        for _ in 0..<5 { asked += state.handle(.key(.pageUp)) }
        #expect(asked == [.loadEarlier(before: "m41")])
        let top = texts(state)
        #expect(top[1].hasPrefix("── 2026-11-21"))
        #expect(top[2].hasSuffix("text 41"))
        _ = state.handle(.earlier(try page(1...40), before: "m41"))
        // The lines stay where they were; the day is said where it begins now.
        #expect(Array(texts(state)[2..<8]) == ["[10:40] Bob: text 40"] + top[2..<7])
        for _ in 0..<20 { asked += state.handle(.key(.pageUp)) }
        #expect(asked.count == 1)
        #expect(texts(state)[2].hasSuffix("text 1"))
    }

    @Test func `says that the node is gone and that it is back`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...5)))
        _ = state.handle(.disconnected("The node has stopped."))
        #expect(texts(state).contains("The node has stopped. Trying again…"))
        #expect(state.handle(.connected).contains(.loadConversation))
        #expect(texts(state).contains("Connected again."))
        #expect(!texts(state).contains { $0.contains("Trying again") })
    }

    @Test func `ends by its keys and its command`() throws {
        var state = try state()
        #expect(state.handle(.key(.interrupt)) == [.quit])
        #expect(state.handle(.key(.endOfInput)) == [.quit])
        _ = state.handle(.key(.text("x")))
        #expect(state.handle(.key(.endOfInput)) == [])
        _ = state.handle(.key(.deleteToStart))
        #expect(type("/quit", &state) == [.quit])
    }

    @Test func `shows who is here, what there is, and that a command is unknown`() throws {
        var state = try state(rows: 20, columns: 80)
        _ = type("/info", &state)
        #expect(texts(state).contains("│ Alice (you) (member, offline)"))
        #expect(texts(state).contains("│ Bob [31m (member, online)"))
        #expect(type("/help", &state) == [.wish(.help)])
        _ = type("/hlep", &state)
        #expect(texts(state).contains { $0.hasPrefix("There is no command /hlep. /help lists those there are;") })
    }

    @Test func `shows nothing that somebody wrote for the terminal instead of for people`() throws {
        var state = try state()
        var page = try page(1...1)
        page.messages = [try message(1, "a\\u001b[2Jb\\u202ec\\n[10:00] Carol: I am not here")]
        _ = state.handle(.newest(page))
        let lines = texts(state)
        #expect(lines.contains { $0.hasSuffix("Bob: a[2Jbc") })
        #expect(lines.contains("        [10:00] Carol: I am not here"))
        #expect(state.frame.lines.allSatisfy { !$0.text.unicodeScalars.contains { $0.value < 0x20 } })
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 5), (4, 10), (5, 3), (200, 300)])
    func `fits into every window`(rows: Int, columns: Int) throws {
        var state = try state(rows: rows, columns: columns)
        _ = state.handle(.newest(try page(1...60)))
        _ = type("/info", &state)
        _ = state.handle(.key(.text("Grüße, 世界 👩‍👩‍👧")))
        for key in [Key.pageUp, .pageUp, .pageDown, .home] {
            _ = state.handle(.key(key))
            #expect(state.frame.lines.count == rows)
            // The prompt has its two columns and one for the cursor even where there are fewer.
            #expect(state.frame.lines.allSatisfy { $0.text.displayWidth <= max(columns, 4) })
        }
    }

    @Test func `writes only the lines that changed`() throws {
        var state = try state()
        _ = state.handle(.newest(try page(1...5)))
        let before = state.frame
        #expect(before.update(from: before, isStyled: true) == "\u{1B}[?25l\u{1B}[10;3H\u{1B}[?25h")
        _ = state.handle(.key(.text("x")))
        let update = state.frame.update(from: before, isStyled: true)
        #expect(update == "\u{1B}[?25l\u{1B}[10;1H\u{1B}[2K> x\u{1B}[10;4H\u{1B}[?25h")
        #expect(state.frame.update(from: nil, isStyled: false).contains("\u{1B}[2J"))
    }

    private func typing(_ text: String?, in conversation: String = "c") throws -> NodeEvent {
        try read(
            """
            {"id":1,"type":"typing","conversation":"\(conversation)","people":[]\(text.map { ",\"text\":\"\($0)\"" } ?? "")}
            """)
    }

    @Test func `shows who types in this conversation, until they stop or the node is gone`() throws {
        var state = try state()
        _ = state.handle(.node(try typing("Bob is typing...")))
        #expect(texts(state).suffix(2) == ["Bob is typing...", "> "])
        _ = state.handle(.node(try typing("Carol is typing...", in: "d")))
        #expect(texts(state).contains("Bob is typing..."))
        _ = state.handle(.node(try typing(nil)))
        #expect(!texts(state).contains { $0.contains("typing") })
        _ = state.handle(.node(try typing("Bob is typing...")))
        _ = state.handle(.disconnected("The node has stopped."))
        #expect(!texts(state).contains { $0.contains("typing") })
    }

    @Test func `tells the others of keys that write a message, and of no others`() throws {
        var state = try state()
        #expect(state.handle(.key(.text("A"))) == [.type])
        #expect(state.handle(.key(.left)) == [])
        #expect(state.handle(.key(.backspace)) == [.type])
        _ = state.handle(.key(.deleteToEnd))
        #expect(state.handle(.key(.backspace)) == [])
        #expect(state.handle(.key(.text("/help"))) == [])
    }

    @Test func `says what is missing and who can fill it, as that changes`() throws {
        var state = try state(columns: 80)
        var page = try page(1...2)
        page.messages[1] = try read(
            """
            {"id":"m2","conversation":"c","kind":"text","sender":"\(Self.bob)","sender_name":"Bob","text":"",
            "readability":"wanted","sent_at":"2026-11-21T10:02:00.000Z","delivered_to":[],"mentions":[],"deleted":false,
            "reactions":[],"files":[],"pinned":false,"gap":{"kind":"text","operations":["m2"],"sources":[],"text":"not here yet: Bob is away"}}
            """)
        page.gaps = [
            try read(
                #"{"kind":"operations","operations":[],"sources":[],"text":"2 operations of Bob missing: Bob is away"}"#
            )
        ]
        _ = state.handle(.newest(page))
        #expect(texts(state).contains { $0.hasSuffix("Bob: (not here yet: Bob is away)") })
        #expect(texts(state)[8] == "2 operations of Bob missing: Bob is away")
        let peer = try read(#"{"id":1,"type":"peer","text":"connected"}"#, as: NodeEvent.self)
        #expect(state.handle(.node(peer)) == [.loadConversation, .loadNewest(limit: 52)])
        _ = state.handle(.newest(try self.page(1...2)))
        #expect(state.handle(.node(peer)) == [.loadConversation])
    }
}
