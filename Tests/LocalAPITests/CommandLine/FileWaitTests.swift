import LocalAPIModel
import Node
import Testing

@testable import moot

@Suite("Waiting for files")
struct FileWaitTests {
    private let start = ContinuousClock.now

    private func file(
        _ name: String, _ state: String, received: Int = 0, error: String? = nil
    ) throws -> FileDescription {
        let json = """
            {"id": "\(String(repeating: name, count: 64))", "name": "\(name).txt", "size": 2048, "media_type": "text/plain",
            "kind": "file", "state": "\(state)", "received": \(received),
            "conversation": "\(String(repeating: "c", count: 64))"}
            """
        var file = try WireFormat.decode(FileDescription.self, from: Array(json.utf8))
        file.error = error
        return file
    }

    private func wait(for files: FileDescription...) -> FileWait {
        FileWait(for: files, timeout: .seconds(10), folder: "my files")
    }

    @Test func `ends with all of a file, however long that takes`() throws {
        var wait = wait(for: try file("a", "fetching"))
        for minute in 1...100 {
            let now = start + .seconds(60 * minute)
            let file = try file("a", "fetching", received: minute)
            #expect(wait.note(file, at: now) == nil)
            #expect(wait.expire(at: now).isEmpty)
        }
        #expect(wait.waiting.map(\.received) == [100])
        let here = try file("a", "here", received: 2_048)
        #expect(wait.note(here, at: start) == .arrived(here))
        #expect(wait.waiting.isEmpty && wait.note(here, at: start) == nil)
    }

    @Test(arguments: [
        (file: ("cancelled", nil as String?), code: "cancelled"), (file: ("offered", nil), code: "not_here"),
        (file: ("failed", "disk_full"), code: "disk_full"), (file: ("failed", "quota_reached"), code: "quota_reached"),
        (file: ("failed", nil), code: "storage_failed"),
    ])
    func `ends at once with what does not come by itself, and says what to do`(
        file described: (String, String?), code: String
    ) throws {
        var wait = wait(for: try file("a", "fetching"), try file("b", "fetching"))
        let end = wait.note(try file("a", described.0, error: described.1), at: start)
        guard case .gaveUp(let detail) = end else {
            Issue.record("it goes on")
            return
        }
        #expect(detail.code == code && detail.message.contains("a.txt"))
        #expect(detail.hint?.hasSuffix("moot files cccccccccccccccc aaaaaaaaaaaaaaaa --retry") == true)
        #expect(wait.waiting.map(\.name) == ["b.txt"])
    }

    @Test func `gives up what nobody has for its time, and counts anew when somebody has come`() throws {
        let (a, b) = (try file("a", "waiting"), try file("b", "waiting"))
        var wait = wait(for: a, b)
        #expect(wait.note(a, at: start) == nil && wait.note(b, at: start) == nil)
        let fetching = try file("a", "fetching")
        #expect(wait.note(fetching, at: start + .seconds(5)) == nil)
        #expect(wait.note(a, at: start + .seconds(6)) == nil)
        // To be told of it again makes it no newer.
        #expect(wait.note(b, at: start + .seconds(9)) == nil)
        #expect(wait.expire(at: start + .milliseconds(9_999)).isEmpty)
        let given = wait.expire(at: start + .seconds(10))
        guard case .gaveUp(let detail) = given.first else {
            Issue.record("it goes on")
            return
        }
        #expect(given.count == 1 && detail.code == "no_peer" && detail.message.contains("b.txt"))
        #expect(detail.hint?.hasSuffix("bbbbbbbbbbbbbbbb --save 'my files' --wait 1d") == true)
        #expect(wait.waiting.map(\.name) == ["a.txt"])
        #expect(wait.expire(at: start + .seconds(16)).count == 1)
    }

    @Test func `ends with a file that is in no message any more`() throws {
        let file = try file("a", "fetching")
        var wait = wait(for: file)
        #expect(wait.noteGone("another") == nil)
        guard case .gaveUp(let detail) = wait.noteGone(file.id) else {
            Issue.record("it goes on")
            return
        }
        #expect(detail.code == "file_not_found" && wait.waiting.isEmpty)
    }
}
