import Foundation
import Testing

@testable import moot

@Suite("The copy of a database that a node made for a command")
struct DatabaseCopyTests {
    private func make(_ path: String) -> Bool { FileManager.default.createFile(atPath: path, contents: Data([1])) }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test func `is removed with its value, and is a file of that name and nothing else`() async throws {
        try await Scratch.with { home in
            let copy = "\(home)/copy-1"
            try #require(make(copy) && make("\(home)/replica.sqlite") && mkdir("\(home)/copy-2", 0o700) == 0)
            try #require(symlink("replica.sqlite", "\(home)/copy-3") == 0 && mkfifo("\(home)/copy-4", 0o600) == 0)
            for name in ["replica.sqlite", "copy-2", "copy-3", "copy-4", "copy-5", "../copy-1", ""] {
                #expect(DatabaseCopy.find(name, in: home) == nil, "\(name)")
            }
            var found = DatabaseCopy.find("copy-1", in: home)
            #expect(try found.map { try Data(contentsOf: URL(filePath: $0.path)) } == Data([1]))
            found = nil
            #expect(!isThere(copy) && isThere("\(home)/replica.sqlite"))
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `belongs to the owner of the home: root removes nothing of others, wherever the home leads`() async throws {
        try await Scratch.with { scratch in
            let (home, other) = ("\(scratch)/home", "\(scratch)/other")
            for folder in [home, other] { try #require(mkdir(folder, 0o755) == 0 && make("\(folder)/copy-1")) }
            try #require(chown(home, 4_001, 4_001) == 0)
            #expect(DatabaseCopy.find("copy-1", in: home) == nil, "a file of root's in the home of another user")
            let link = "\(scratch)/link"
            try #require(symlink(other, link) == 0 && lchown(link, 4_001, 4_001) == 0)
            #expect(DatabaseCopy.find("copy-1", in: link) == nil, "their link to a folder of root's")
            try #require(chown("\(other)/copy-1", 4_001, 4_001) == 0)
            #expect(DatabaseCopy.find("copy-1", in: link) == nil, "the folder is not theirs")
            #expect(isThere("\(home)/copy-1") && isThere("\(other)/copy-1"))
            try #require(chown("\(home)/copy-1", 4_001, 4_001) == 0)
            #expect(DatabaseCopy.find("copy-1", in: home) != nil)
            #expect(!isThere("\(home)/copy-1"))
        }
    }
}
