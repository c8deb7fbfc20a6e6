import Foundation
import LocalAPIModel
import Logging
import Testing
import Waiting

@testable import Node

@Suite("The user's own command for notifications")
struct CommandSinkTests {
    private let scratch: Scratch
    private let logger = Logger(label: "moot") { _ in SwiftLogNoOpLogHandler() }

    init() throws {
        scratch = try Scratch()
    }

    /// A program in the scratch folder.
    private func program(_ script: String) throws -> String {
        let path = scratch.file("notify")
        try #require(
            FileManager.default.createFile(
                atPath: path, contents: Data("#!/bin/sh\n\(script)\n".utf8), attributes: [.posixPermissions: 0o700]))
        return path
    }

    private func notification(_ body: String, of conversation: String = "ship") -> NotificationDescription {
        NotificationDescription(
            conversation: conversation, message: nil, title: "Bob in Ship", body: body, count: 1,
            link: "moot://conversation/\(conversation)")
    }

    private func lines(_ name: String) -> [String] {
        let content = FileManager.default.contents(atPath: scratch.file(name)) ?? Data()
        return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `finds the text on its standard input and in its environment, and no shell reads it`() async throws {
        let hostile = "$(touch \(scratch.file("pwned"))) `id`; \"quoted\" & 'more'"
        let path = try program(
            "printf '%s|%s\\n' \"$MOOT_BODY\" \"$#\" >> \(scratch.file("out")); cat >> \(scratch.file("json"))")
        let sink = try #require(CommandSink(program: path, path: "", logger: logger))
        sink.show(notification(hostile))
        await eventually("it ran") { !lines("json").isEmpty }
        #expect(lines("out") == [hostile + "|0"])
        let given = try JSONDecoder().decode(
            [String: AnyText].self, from: FileManager.default.contents(atPath: scratch.file("json")) ?? Data())
        #expect(FileManager.default.contents(atPath: scratch.file("json"))?.last == UInt8(ascii: "\n"))
        #expect(given["body"]?.text == hostile)
        #expect(given["link"]?.text == "moot://conversation/ship")
        #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
        sink.stop()
    }

    @Test func `one that hangs is killed, and then the newest of each conversation is told`() async throws {
        let path = try program(
            "echo \"$MOOT_BODY\" >> \(scratch.file("out")); [ \"$MOOT_BODY\" = 1 ] && exec sleep 60; exit 0")
        let sink = try #require(
            CommandSink(program: path, path: "", timeout: .seconds(4), logger: logger))
        sink.show(notification("1"))
        await eventually("the first began") { lines("out") == ["1"] }
        let begin = ContinuousClock.now
        for number in 2...1_000 { sink.show(notification("\(number)")) }
        sink.show(notification("another", of: "boat"))
        sink.show(notification("read meanwhile", of: "raft"))
        sink.clear(conversation: "raft")
        #expect(ContinuousClock.now - begin < .seconds(2), "the node does not wait")
        await eventually("the others were told") { lines("out").count == 3 }
        #expect(lines("out") == ["1", "1000", "another"])
        sink.stop()
    }

    @Test func `a name is looked for where programs are, and what is not there is refused`() {
        #expect(CommandSink(program: "true", path: "/nonexistent:/usr/bin:/bin", logger: logger) != nil)
        #expect(CommandSink(program: "true", path: "/nonexistent", logger: logger) == nil)
        #expect(CommandSink(program: "true; id", path: "/usr/bin:/bin", logger: logger) == nil)
        #expect(CommandSink(program: "/nonexistent", path: "/usr/bin", logger: logger) == nil)
    }

    /// A value of JSON, if it is a text.
    private struct AnyText: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }
}
