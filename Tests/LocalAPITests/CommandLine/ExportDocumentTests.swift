import Foundation
import LocalAPIModel
import Node
import Testing

@testable import moot

@Suite("Exported conversations")
struct ExportDocumentTests {
    private static let hostile = #"<script>alert('x')</script> & "quoted"\u202e"#

    private func conversation(named name: String) throws -> ConversationDescription {
        let name = try #require(String(data: JSONEncoder().encode(name), encoding: .utf8))
        let json = """
            {"id": "2", "kind": "group", "title": \(name), "description": \(name), "member_count": 1, "invited": [],
             "members": [{"user": "b", "name": \(name), "role": "admin", "presence": "online", "verified": false,
                "blocked": false, "deleted": false, "can_read": true}],
             "me": {"is_member": true, "awaits_answer": false, "invited_by": [], "may": \(Self.rights)},
             "archived": false, "pinned": false, "mentions_only": false, "tags": [], "receipts": true, "unread": 0,
             "sync": "synced"}
            """
        return try WireFormat.decode(ConversationDescription.self, from: Array(json.utf8))
    }

    private static let rights: String = {
        let encoded = try? WireFormat.encode(RightsDescription())
        return encoded.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }()

    private func message(
        _ text: String, sender: String = "Bob", at time: String = "2026-11-21T03:04:05.678Z", more: String = ""
    ) throws -> MessageDescription {
        func quoted(_ text: String) throws -> String { String(decoding: try JSONEncoder().encode(text), as: UTF8.self) }
        let json = """
            {"id": "1", "conversation": "2", "kind": "text", "sender": "b", "sender_name": \(try quoted(sender)),
             "text": \(try quoted(text)), "readability": "open", "sent_at": "\(time)", "mentions": [], "deleted": false,
             "reactions": [], "files": [], "pinned": false\(more)}
            """
        return try WireFormat.decode(MessageDescription.self, from: Array(json.utf8))
    }

    private func file(_ name: String, id: String = "f", kind: String = "photo") throws -> FileDescription {
        let name = String(decoding: try JSONEncoder().encode(name), as: UTF8.self)
        let json = """
            {"id": "\(id)", "name": \(name), "size": 3, "media_type": "image/jpeg", "kind": "\(kind)", "state": "here",
             "received": 3}
            """
        return try WireFormat.decode(FileDescription.self, from: Array(json.utf8))
    }

    private func export(
        _ document: any ExportDocument, _ parts: [[MessageDescription]], files: ExportedFiles = ExportedFiles(),
        named name: String = "Ship"
    ) throws -> String {
        var document = document
        let head = ExportHead(
            conversation: try conversation(named: name), program: "0.1.0", time: "2026-11-25T12:00:00Z")
        var bytes = document.beginning(head)
        for part in parts { bytes += document.part(part, files: files) }
        return String(decoding: bytes + document.end(gaps: []), as: UTF8.self)
    }

    @Test func `as JSON have the fields that the operations page describes`() throws {
        let quoted = try message(
            "Hello\n\"there\" \u{9B}31m\u{202E}", more: #", "reply_to": "0", "edited_at": "2026-11-21T03:05:00.000Z""#)
        let json = try export(JSONExport(), [[quoted], [], [try message("second")]])
        #expect(
            json == #"""
                {"format":"moot-export","version":1,"exported_at":"2026-11-25T12:00:00Z","program":"0.1.0","conversation":{"id":"2","kind":"group","title":"Ship","description":"Ship"},"members":[{"user":"b","name":"Ship","role":"admin"}],
                "messages":[
                {"id":"1","kind":"text","sent_at":"2026-11-21T03:04:05.678Z","sender":"b","sender_name":"Bob","text":"Hello\n\"there\" \u009b31m\u202e","readability":"open","edited_at":"2026-11-21T03:05:00.000Z","reply_to":"0"},
                {"id":"1","kind":"text","sent_at":"2026-11-21T03:04:05.678Z","sender":"b","sender_name":"Bob","text":"second","readability":"open"}
                ],
                "gaps":[]}

                """#)
    }

    @Test func `as JSON read as what they were, whatever is in a text`() throws {
        struct Exported: Decodable {
            struct Message: Decodable { let text: String }
            let messages: [Message]
        }
        let texts = ["", "\u{0}\u{1F}\t\r\n", "\\\"/", "é 😀 \u{2028}\u{7F}\u{85}", Self.hostile]
        let json = try export(JSONExport(), [try texts.map { try message($0) }])
        let read = try JSONDecoder().decode(Exported.self, from: Data(json.utf8))
        #expect(read.messages.map(\.text) == texts)
        let empty = try JSONDecoder().decode(Exported.self, from: Data(try export(JSONExport(), [[]]).utf8))
        #expect(empty.messages.isEmpty)
    }

    @Test func `as text read as moot read prints them, with each day once`() throws {
        let messages = try [
            message("one"), message("two\nlines"), message("three", at: "2026-11-23T03:04:05.678Z"),
        ]
        let output = Output(isJSON: false, isQuiet: false, isPlain: true)
        let whole = Read.lines(of: messages, today: nil, output, withIDs: false).joined(separator: "\n")
        let text = try export(TextExport(), messages.map { [$0] })
        #expect(text.hasSuffix("members:\n  Ship, admin\n\n\(whole)\n"), "\(text)")
        #expect(!text.contains("\u{1B}"))
    }

    @Test func `as a page are text, whatever people wrote or are called`() throws {
        var files = ExportedFiles()
        let photo = try file("\"><img src=x onerror=alert(1)>.jpg")
        files.note(photo, as: "we?ird #1.jpg")
        var carrier = try message(Self.hostile, sender: Self.hostile)
        carrier.files = [photo]
        carrier.reactions = [.init(emoji: "<b>", users: ["b"], names: [Self.hostile])]
        carrier.replyTo = "\" onmouseover=\"x"
        let html = try export(HTMLExport(), [[carrier]], files: files, named: Self.hostile)
        let outside = html.replacing(HTMLStyle.text, with: "")
        let tags = Set(outside.matches(of: /<\/?([a-z0-9!]+)/).map { String($0.output.1) })
        #expect(
            tags == [
                "!doctype", "html", "head", "meta", "title", "style", "body", "header", "h1", "p", "details", "summary",
                "ul", "li", "bdi", "main", "h2", "article", "b", "time", "a", "img", "br",
            ])
        #expect(!outside.contains("<script") && !outside.contains("onerror=alert(1)>.jpg\""))
        #expect(!outside.contains("\u{202E}"))
        #expect(html.contains("src=\"files/we%3Fird%20%231.jpg\""))
        #expect(html.contains("href=\"#m&quot; onmouseover=&quot;x\""))
    }

    @Test func `as a page link web pages and harmless files only`() throws {
        var files = ExportedFiles()
        // What its sender calls a photo is still what its name says to a browser.
        let page = try file("report.html", id: "h")
        let tides = try file("tides.pdf", id: "t", kind: "file")
        let absent = try file("absent.jpg", id: "a")
        files.note(page, as: "report.html")
        files.note(tides, as: "tides.pdf")
        var carrier = try message("see https://example.org/a?b=1&c=2, javascript:alert(1) and http://x.y")
        carrier.files = [page, tides, absent]
        let html = try export(HTMLExport(), [[carrier]], files: files)
        let addresses = html.matches(of: /href="([^"]*)"/).map { String($0.output.1) }
        #expect(addresses == ["https://example.org/a?b=1&amp;c=2", "http://x.y", "files/tides.pdf"])
        #expect(html.contains("report.html</bdi> (3 bytes, in the folder files)"))
        #expect(html.contains("absent.jpg</bdi> (3 bytes, not exported: it was not on this node)"))
    }

    @Test func `as a page allow nothing but their own style and the photos next to them`() throws {
        let html = try export(HTMLExport(), [])
        let policy = try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.output.1)
        #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe") && !policy.contains("script"))
        let style = try #require(html.firstMatch(of: /(?s)<style>(.*)<\/style>/)?.output.1)
        #expect(style == HTMLStyle.text)
        // The browser hashes what is between the tags.
        let hash = Process()
        hash.executableURL = URL(filePath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        hash.standardInput = input
        hash.standardOutput = output
        try hash.run()
        try input.fileHandleForWriting.write(contentsOf: Data(style.utf8))
        try input.fileHandleForWriting.close()
        let digits = Array(
            String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).utf8.prefix(64))
        hash.waitUntilExit()
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        #expect(HTMLStyle.digest == "sha256-" + Data(bytes).base64EncodedString())
    }

    @Test func `give every file a name of its own, whatever the case`() throws {
        var files = ExportedFiles()
        let names = ["log.txt", "Log.txt", "log (2).txt", "log.txt", "LOG (3).TXT", "log"]
        let claimed = try names.enumerated().map { index, name in files.claim(try file(name, id: "\(index)")) }
        #expect(claimed.first == "log.txt" && claimed.last == "log")
        #expect(Set(claimed.map { $0.lowercased() }).count == names.count, "\(claimed)")
    }

    @Test func `have their folder once all is written, and never over something`() async throws {
        try await Scratch.with { scratch in
            let place = scratch + "/export"
            do {
                let folder = try ExportFolder(place + "/")
                #expect(FileManager.default.fileExists(atPath: folder.path))
                #expect(!FileManager.default.fileExists(atPath: place))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty, "given up, it leaves nothing")
            try ExportFolder(place).finish()
            let (first, second) = (try ExportFolder(place), "\(place)/file")
            try "mine".write(toFile: second, atomically: true, encoding: .utf8)
            #expect(throws: Failure.self) { try first.finish() }
            do throws(Failure) {
                _ = try ExportFolder(place)
                Issue.record("something was there")
            } catch {
                #expect(error.detail.code == "invalid_operation")
            }
            #expect(try String(contentsOfFile: second, encoding: .utf8) == "mine")
        }
    }
}
