import Testing

@testable import moot

@Suite("Commands of the chat")
struct ChatCommandTests {
    @Test(arguments: [
        ("Hello", ChatCommand.say("Hello")), ("//etc", .say("/etc")), ("  two  ", .say("  two")),
        ("/quit", .quit), ("/help", .help), ("/info ", .info), ("/reply Aye", .reply(to: 1, "Aye")),
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
}
