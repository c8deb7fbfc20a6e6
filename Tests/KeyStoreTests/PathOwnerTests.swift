import Foundation
import Glibc
import NodeCore
import Testing

@testable import KeyStore

@Suite("Who decides what a path leads to")
struct PathOwnerTests {
    private let scratch: Scratch
    private let shared: String
    /// A group in which root is not alone.
    private let group: gid_t = 12_345

    init() throws {
        scratch = try Scratch()
        shared = scratch.file("shared")
        try #require(mkdir(shared, 0o700) == 0)
    }

    @Test(arguments: [
        (mode: 0o777, isSafe: false), (0o1777, true), (0o755, true), (0o1770, true), (0o702, false),
    ])
    func `is whoever may write to a folder on it, and rename what is there`(mode: Int, isSafe: Bool) throws {
        try #require(chmod(shared, mode_t(mode)) == 0)
        let other: PathOwner.Other? = isSafe ? nil : .writer(place: shared)
        for path in ["/home", "/nothing/below", "/./home/../home"] {
            #expect(PathOwner.redirecting(shared + path) == other)
        }
        #expect(PathOwner.redirecting(shared) == nil, "what is in it is another question")
        let link = scratch.file("link")
        try #require(symlink(shared + "/home", link) == 0)
        #expect(PathOwner.redirecting(link) == other)
    }

    @Test(arguments: [(mode: 0o666, isSafe: false), (0o602, false), (0o644, true), (0o600, true)])
    func `is whoever may write to the file to which it leads`(mode: Int, isSafe: Bool) throws {
        let file = shared + "/moot.toml"
        try Data().write(to: URL(filePath: file))
        try #require(chmod(file, mode_t(mode)) == 0)
        let link = scratch.file("link")
        try #require(symlink(file, link) == 0)
        for path in [file, link] { #expect(PathOwner.redirecting(path) == (isSafe ? nil : .writer(place: file))) }
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [0o775, 0o770, 0o2775])
    func `is a group that has others in it`(mode: Int) throws {
        try #require(chmod(shared, mode_t(mode)) == 0)
        #expect(PathOwner.redirecting(shared + "/home") == nil)
        try #require(chown(shared, 0, group) == 0 && chmod(shared, mode_t(mode)) == 0)
        #expect(PathOwner.redirecting(shared + "/home") == .writer(place: shared))
        try #require(chmod(shared, mode_t(mode | 0o1000)) == 0)
        #expect(PathOwner.redirecting(shared + "/home") == nil)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `is whoever owns a part of it, for everybody`() throws {
        let theirs = shared + "/theirs"
        try #require(mkdir(theirs, 0o755) == 0 && chown(theirs, 1_234, 1_234) == 0 && chmod(shared, 0o1777) == 0)
        for user in [0, 1_235] as [uid_t] {
            #expect(PathOwner.redirecting(theirs, for: user) == .owner(1_234))
            #expect(PathOwner.redirecting(theirs + "/inside", for: user) == .owner(1_234))
        }
        #expect(PathOwner.redirecting("/tmp/nothing", for: 1_235) == nil)
    }

    /// What somebody else may rename, they could put their own folder in the place of, or the user's other home.
    @Test func `makes a home only where that is nobody else`() throws {
        try #require(chmod(shared, 0o777) == 0)
        let refused = #expect(throws: NodeError.self) { try Home.makeFolder(shared + "/home") }
        #expect(refused?.code == .permissionDenied && refused?.hint?.contains("chmod go-w \(shared)") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared).isEmpty)
        try #require(chmod(shared, 0o1777) == 0)
        try Home.makeFolder(shared + "/home")
    }
}
