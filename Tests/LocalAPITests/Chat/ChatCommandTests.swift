import Testing

@testable import moot

@Suite("Commands of the chat")
struct ChatCommandTests {
    @Test(arguments: [
        ("Hello", ChatCommand.say("Hello")), ("//etc", .say("/etc")), ("  two  ", .say("  two")),
        ("/quit", .quit), ("/help", .help), ("/info ", .info), ("/reply Aye", .reply(to: 1, "Aye")),
        ("/reply 3 Aye aye", .reply(to: 3, "Aye aye")), ("/reply 3", .reply(to: 1, "3")),
        ("/reply 0 Aye", .reply(to: 1, "0 Aye")), ("/reply", .unknown("/reply")),
        ("/nonsense x", .unknown("/nonsense")),
    ])
    func `are told from texts`(line: String, command: ChatCommand) {
        #expect(ChatCommand(line) == command)
    }

    @Test(arguments: ["", " ", "\n \n"])
    func `are not made of nothing`(line: String) {
        #expect(ChatCommand(line) == nil)
    }
}
