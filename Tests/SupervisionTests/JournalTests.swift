import Foundation
import Supervision
import SupervisionFixtures
import Testing

@Suite("The journal of systemd")
struct JournalTests {
    /// A journal of the test's own, and the file that stands for the stream from which a service is known to it.
    private struct Place {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moot-journal-\(UUID().uuidString)").path
        let stream: FileHandle

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try #require(FileManager.default.createFile(atPath: folder + "/stream", contents: nil))
            stream = try #require(FileHandle(forWritingAtPath: folder + "/stream"))
        }

        var socket: String { folder + "/socket" }

        /// What `JOURNAL_STREAM` says of a file.
        func streamName(_ file: String) throws -> String {
            var found = stat()
            try #require(stat(folder + "/" + file, &found) == 0)
            return "\(found.st_dev):\(found.st_ino)"
        }

        func journal(_ environment: [String: String]) -> Journal? {
            Journal(environment: environment, standardError: stream.fileDescriptor, socket: socket)
        }

        func remove() throws { try FileManager.default.removeItem(atPath: folder) }
    }

    @Test func `gets an entry with its fields`() async throws {
        let place = try Place()
        defer { #expect(throws: Never.self) { try place.remove() } }
        let socket = try NotificationSocket(place.socket)
        let journal = try #require(place.journal(["JOURNAL_STREAM": try place.streamName("stream")]))
        var entry = JournalEntry(message: "a connection ended", priority: 6, identifier: "moot")
        entry.add("hb.request-id", "7=8")
        #expect(journal.write(entry))
        #expect(
            await socket.next(within: .seconds(5))
                == "MESSAGE=a connection ended\nPRIORITY=6\nSYSLOG_IDENTIFIER=moot\nMOOT_HB_REQUEST_ID=7=8\n")
    }

    @Test func `gets the length of a value that has several lines, which can pass for no other field`() {
        var entry = JournalEntry(message: "one", priority: 3, identifier: "moot")
        entry.add("reason", "two\nPRIORITY=0\n")
        let length: [UInt8] = [15, 0, 0, 0, 0, 0, 0, 0]
        #expect(
            entry.bytes == Array("MESSAGE=one\nPRIORITY=3\nSYSLOG_IDENTIFIER=moot\nMOOT_REASON\n".utf8) + length
                + Array("two\nPRIORITY=0\n\n".utf8))
    }

    @Test func `gets names that it takes, whatever a key is called`() {
        var entry = JournalEntry(message: "", priority: 7, identifier: "")
        entry.add(String(repeating: "é=\n", count: 40), "value")
        let line = String(decoding: entry.bytes, as: UTF8.self).split(separator: "\n").last
        #expect(line == "MOOT_\(String(repeating: "_", count: 59))=value")
    }

    @Test(arguments: ["x", "ü", "😀"])
    func `gets entries that fit into a datagram, whatever is said`(character: Character) throws {
        let long = String(repeating: character, count: 10_000)
        var entry = JournalEntry(message: long, priority: 7, identifier: long)
        for number in 0..<100 { entry.add("key \(number)", long) }
        #expect(entry.bytes.count <= JournalEntry.maximumFieldCount * (JournalEntry.maximumValueLength + 70))
        let text = try #require(String(validating: entry.bytes, as: UTF8.self))
        #expect(text.split(separator: "\n").count == JournalEntry.maximumFieldCount)
    }

    @Test func `is none where standard error is another stream, or nobody says that it is one`() throws {
        let place = try Place()
        defer { #expect(throws: Never.self) { try place.remove() } }
        try #require(FileManager.default.createFile(atPath: place.folder + "/another", contents: nil))
        #expect(place.journal([:]) == nil)
        for name in ["", "8:1", "one:two", try place.streamName("another")] {
            #expect(place.journal(["JOURNAL_STREAM": name]) == nil, "\(name)")
        }
    }

    @Test func `that is gone, or reads nothing, holds nobody up`() throws {
        let place = try Place()
        defer { #expect(throws: Never.self) { try place.remove() } }
        let journal = try #require(place.journal(["JOURNAL_STREAM": try place.streamName("stream")]))
        let entry = JournalEntry(message: "one", priority: 7, identifier: "moot")
        #expect(!journal.write(entry))
        let socket = try NotificationSocket(place.socket)
        var written = 0
        let began = ContinuousClock.now
        while written < 100_000, journal.write(entry) { written += 1 }
        #expect(written > 0 && written < 100_000)
        #expect(ContinuousClock.now - began < .seconds(10))
        withExtendedLifetime(socket) {}
    }
}
