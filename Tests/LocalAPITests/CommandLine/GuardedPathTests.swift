import Foundation
import Glibc
import LocalAPIModel
import Testing

@testable import moot

@Suite("Files that are sent")
struct GuardedPathTests {
    private static let theirs: uid_t = 1_234

    /// What a file is read as, once it was opened.
    private func read(_ path: String) throws -> String {
        String(decoding: try InputFile(regular: path).read(), as: UTF8.self)
    }

    /// A folder with a secret of the user's, and one into which everybody may write.
    private func shared(
        _ mode: mode_t = 0o1777, _ body: (_ secret: String, _ shared: String) throws -> Void
    ) async throws {
        try await Scratch.with { folder in
            let (secret, shared) = (folder + "/secret.txt", folder + "/shared")
            try "secret".write(toFile: secret, atomically: false, encoding: .utf8)
            try #require(mkdir(shared, 0o700) == 0 && chmod(shared, mode) == 0)
            try body(secret, shared)
        }
    }

    private func link(_ path: String, to target: String, of owner: uid_t) throws {
        try #require(symlink(target, path) == 0 && lchown(path, owner, owner) == 0)
    }

    @Test func `are found by links of the user's, wherever these are`() async throws {
        try await shared { secret, shared in
            try #require(symlink(secret, shared + "/mine") == 0 && symlink("mine", shared + "/again") == 0)
            try #require(symlink("../shared", shared + "/folder") == 0)
            for path in ["mine", "again", "folder/again", "./folder/../shared/mine"] {
                #expect(try read(shared + "/" + path) == "secret")
            }
            #expect(try read(secret) == "secret")
            #expect(try FileToSend(shared + "/again").length == 6)
            #expect(try FileToSend(shared + "/again").name == "again")
        }
    }

    @Test(.enabled(if: geteuid() == 0), arguments: [0o1777, 0o777, 0o1757, 0o2770, 0o755] as [mode_t])
    func `are not found by a link of somebody else, and nothing is saved by one`(mode: mode_t) async throws {
        try await shared(mode) { secret, shared in
            let folder = String(secret.dropLast("/secret.txt".count))
            try link(shared + "/report.pdf", to: secret, of: Self.theirs)
            try link(shared + "/folder", to: folder, of: Self.theirs)
            try #require(symlink(shared + "/report.pdf", folder + "/mine") == 0)
            for path in [shared + "/report.pdf", shared + "/folder/secret.txt", folder + "/mine"] {
                let refused = #expect(throws: Failure.self) { try FileToSend(path) }
                #expect(refused?.detail.code == "permission_denied")
                #expect(refused?.detail.message.hasPrefix("Another user has put the link") == true)
            }
            for path in [shared + "/folder", shared + "/folder/shared"] {
                let refused = #expect(throws: Failure.self) { try FileTarget(named: "x.desktop", in: path) }
                #expect(refused?.detail.code == "permission_denied")
                #expect(throws: GuardedPath.Refusal.link("folder")) { try GuardedPath.openFolder(path) }
            }
            #expect(throws: Failure.self) { try FileTarget(named: "x", in: shared + "/folder/new") }
            #expect(access(folder + "/new", F_OK) != 0, "nothing is made there, either")
            try #require(symlink(folder, shared + "/mine") == 0)
            close(try GuardedPath.openFolder(shared + "/mine"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `are files: a pipe, a folder or a device is refused at once`() async throws {
        try await shared { secret, shared in
            try #require(mkfifo(shared + "/pipe", 0o666) == 0 && symlink("pipe", shared + "/link") == 0)
            for path in [shared + "/pipe", shared + "/link", shared, "/", "/dev/null", "/dev/tty"] {
                let refused = #expect(throws: Failure.self) { try FileToSend(path) }
                #expect(refused?.detail.message == "\(path) is no file")
            }
            let missing = #expect(throws: Failure.self) { try FileToSend(shared + "/nothing") }
            #expect(missing?.detail.message == "Cannot read \(shared)/nothing: No such file or directory")
            try #require(symlink("circle", shared + "/circle") == 0)
            let circle = #expect(throws: Failure.self) { try FileToSend(shared + "/circle") }
            #expect(circle?.detail.code == "invalid_request")
            #expect(throws: Failure.self) { try FileToSend(secret + "/below") }
            #expect(throws: Failure.self) { try FileToSend("") }
        }
    }

    @Test func `stay what they were when they were named, whatever comes under their name`() async throws {
        try await shared { secret, shared in
            let path = shared + "/report.pdf"
            try "report".write(toFile: path, atomically: false, encoding: .utf8)
            let file = try InputFile(regular: path)
            try #require(unlink(path) == 0 && mkfifo(path, 0o666) == 0)
            #expect(String(decoding: try file.read(), as: UTF8.self) == "report")
        }
    }
}
