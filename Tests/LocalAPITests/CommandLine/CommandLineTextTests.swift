import ArgumentParser
import Testing

@testable import moot

@Suite("Texts that begin with a dash")
struct CommandLineTextTests {
    private let commands: CommandLineText

    init() throws { commands = CommandLineText(root: try CommandDeclaration(of: Moot.self)) }

    private func command<Command>(_ arguments: String..., as type: Command.Type = Command.self) async throws -> Command
    {
        try #require(try await Moot.meant(by: arguments) as? Command, "\(arguments)")
    }

    @Test(arguments: [
        "- shopping", "-starts with a dash", "-1 degrees", "-hello", "-h", "-1", "--- a/file", "---",
        "--no such option",
        "-\thost", "--json is a format", "-é",
    ])
    func `behind the conversation they are texts`(text: String) async throws {
        #expect(try await command("send", "Tiny", text, as: Send.self).text == text)
        #expect(try await command("edit", "5a6bf28a", text, as: Edit.self).text == text)
        #expect(try await command("draft", "Tiny", text, as: Draft.self).text == text)
        #expect(try await command("describe", "Tiny", text, as: Describe.self).text == text)
        #expect(try await command("rename", "Tiny", text, as: Rename.self).name == text)
        let reply = try await command(
            "send", "--reply", "5a6b", "Tiny", "--json", text, "--file=my notes", as: Send.self)
        #expect(reply.text == text && reply.reply == "5a6b" && reply.common.json && reply.file == ["my notes"])
        let answer = try await command("send", "Tiny", text, "--reply", "5a6b", as: Send.self)
        #expect(answer.conversation == "Tiny" && answer.text == text && answer.reply == "5a6b")
    }

    @Test(arguments: ["- shopping", "-h", "-", "plain", "---", "--no such option"])
    func `the option for the text takes any`(text: String) async throws {
        #expect(try await command("send", "Tiny", "--text", text, as: Send.self).givenText == text)
        #expect(try await command("edit", "5a6b", "--text=\(text)", as: Edit.self).givenText == text)
        #expect(try await command("draft", "Tiny", "--text", text, "--json", as: Draft.self).givenText == text)
        #expect(try await command("private", "Tiny", "--draft", text, as: Private.self).draft == text)
    }

    @Test func `names and words may begin so, too`() async throws {
        let search = try await command("search", "-5", "- fish", "in", "--limit", "3", "-h", as: Search.self)
        #expect(search.words == ["-5", "- fish", "in", "-h"] && search.limit == 3)
        let group = try await command("create", "-x", "Bob", "- Carol", as: Create.self)
        #expect(group.name == "-x" && group.people == ["Bob", "- Carol"])
        #expect(try await command("info", "- team", as: Info.self).conversation == "- team")
        #expect(try await command("send", "-ops team", "-x", as: Send.self).conversation == "-ops team")
    }

    @Test(arguments: [
        ["send", "Tiny", "plain"], ["send", "Tiny", "--", "-h"], ["send", "Tiny", "--", "- x", "--json"],
        ["list", "--json"],
        ["send", "Tiny", "-"], ["--help"], ["-h"], ["send", "-h"], ["search", "-h"], ["info", "--limit", "5", "Tiny"],
        ["---completion", "send", "--", "positional@1", "- x"], [],
    ])
    func `what is clear stays as it is`(arguments: [String]) throws {
        #expect(try commands.rewriting(arguments) == arguments)
    }

    @Test(arguments: [
        ["send", "Tiny", "text", "-x"], ["info", "Tiny", "-hello"], ["list", "-hq"], ["-hello"], ["token", "-help"],
        ["remove", "Ship", "-hBob"], ["status", "-1"], ["profile", "set", "-name"],
    ])
    func `what nothing takes is refused, and never a question for help`(arguments: [String]) async {
        await expectUsage(arguments)
        #expect(throws: CommandLineText.UnknownOption.self) { try commands.rewriting(arguments) }
    }

    @Test(arguments: [
        ["send", "Tiny", "--flie=my photo.jpg"], ["send", "Tiny", "--jsno"], ["status", "- x"],
        ["send", "Tiny", "one", "two"],
        ["send", "Tiny", "a", "--text", "b"],
        ["edit", "5a6b"], ["send", "Tiny", "--lines", "--text", "x"], ["draft", "Tiny", "--text", "x", "--clear"],
        ["send", "Tiny", "--reply", "--json"],
    ])
    func `what is wrong otherwise is wrong usage`(arguments: [String]) async {
        await expectUsage(arguments)
    }

    private func expectUsage(_ arguments: [String]) async {
        do {
            _ = try await Moot.meant(by: arguments)
            Issue.record("\(arguments) mean something")
        } catch {
            #expect(Moot.exitCode(for: error).rawValue == ExitStatus.wrongUsage.rawValue, "\(error)")
        }
    }
}
