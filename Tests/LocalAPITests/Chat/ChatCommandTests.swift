import Testing

@testable import moot

@Suite("Commands of the chat")
struct ChatCommandTests {
    @Test(arguments: [
        ("Hello", ChatCommand.say("Hello")), ("//etc", .say("/etc")), ("  two  ", .say("  two")),
        ("/quit", .act(.quit, argument: "")), ("/q", .act(.quit, argument: "")), ("/info ", .act(.info, argument: "")),
        ("/go  Night Watch ", .act(.go, argument: "Night Watch")), ("/reply Aye", .reply(to: 1, "Aye")),
        ("/reply 3 Aye aye", .reply(to: 3, "Aye aye")), ("/reply 3", .replyWithoutText),
        ("/reply 0 Aye", .reply(to: 1, "0 Aye")), ("/reply", .replyWithoutText), ("/reply 3 ", .replyWithoutText),
        ("/nonsense x", .unknown("/nonsense")),
    ])
    func `are told from texts`(line: String, command: ChatCommand) {
        #expect(ChatCommand(line) == command)
    }

    @Test(
        arguments: [
            ("/reply", nil), ("/reply ", 1), ("/reply Aye", 1), ("/reply 3", 3), ("/reply 3 ", 3), ("/reply 3 Aye", 3),
            ("/reply 0 Aye", 1), ("/reply 3rd", 1), ("reply 3 Aye", nil), ("/info", nil),
        ] as [(String, Int?)])
    func `say which message they answer while they are typed`(line: String, number: Int?) {
        #expect(ChatCommand.answered(by: line) == number)
    }

    @Test(arguments: [
        ("Hello", "Hello", "Hello"), ("//etc", "/etc", "//etc"), ("/reply 3 Aye", "Aye", "Aye"), ("/reply 3", "", ""),
        ("/home/user is a path", "/home/user is a path", "//home/user is a path"), ("/info", "", ""), (" ", "", ""),
    ])
    func `leave a draft of what would be said, which is said by a line`(line: String, draft: String, again: String) {
        #expect(ChatCommand.draft(of: line) == draft)
        #expect(ChatCommand.line(saying: draft) == again)
    }

    @Test(arguments: ["", " ", "\n \n"])
    func `are not made of nothing`(line: String) {
        #expect(ChatCommand(line) == nil)
    }

    @Test(arguments: [
        ("a b", ["a", "b"]), ("\"a b\" c", ["a b", "c"]), ("a\\ b c", ["a b", "c"]), ("\"\"", [""]),
        ("a\"b c", ["ab c"]),
        ("  ", []), ("C:\\x\\", ["C:\\x\\"]),
    ])
    func `take several words in quotes as one`(argument: String, words: [String]) {
        #expect(ChatCommand.words(of: argument) == words)
    }

    @Test func `know when something is missing`() {
        #expect(ChatWish(.create, "Ship Bob Carol") == .create(name: "Ship", people: ["Bob", "Carol"]))
        #expect(ChatWish(.create, "Ship") == nil && ChatWish(.direct, "") == nil && ChatWish(.search, "") == nil)
        #expect(ChatWish(.leave, "yes Bob") == .leave(successor: "Bob", archives: true))
        #expect(ChatWish(.leave, "yes") == .leave(successor: nil, archives: true))
        #expect(ChatWish(.go, "") == .list)
    }

    @Test func `are all explained, with what each is about`() {
        for action in ChatAction.allCases {
            #expect(ChatAction(word: Substring(action.rawValue)) == action)
            #expect(action.helpLine.hasPrefix("/\(action.rawValue) ") && !action.help.meaning.isEmpty)
        }
    }

    @Test func `and names are completed as far as all fit`() throws {
        let names = ["Bob", "Bobby", "Carol"]
        let both = try #require(Completion("b", among: names))
        #expect(both.count == 1 && both.text == "Bob" && both.choices == ["Bob", "Bobby"])
        #expect(Completion("bob", among: names)?.text == nil)
        #expect(Completion("c", among: names)?.text == "Carol ")
        #expect(Completion("x", among: names) == nil)
    }
}
