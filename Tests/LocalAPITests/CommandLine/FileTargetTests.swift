import Foundation
import Glibc
import Testing

@testable import moot

@Suite("Saving files")
struct FileTargetTests {
    private func save(_ text: String, as name: String, in folder: String) throws -> String {
        let target = try FileTarget(named: name, in: folder)
        try target.write(Array(text.utf8))
        return try target.finish().path
    }

    @Test func `replaces nothing that is there, and counts`() async throws {
        try await Scratch.with { folder in
            let paths = try ["one", "two", "three"].map { try save($0, as: "log.txt", in: folder) }
            #expect(paths == ["log.txt", "log (2).txt", "log (3).txt"].map { "\(folder)/\($0)" })
            let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
            #expect(texts == ["one", "two", "three"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
        }
    }

    @Test func `stays in its folder, whatever name the node says`() async throws {
        try await Scratch.with { folder in
            let inner = folder + "/inner"
            let path = try save("evil", as: "../../../cron.d-evil", in: inner)
            #expect(path.hasPrefix(inner + "/") && !path.dropFirst(inner.count + 1).contains("/"), "\(path)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["inner"])
        }
    }

    @Test func `saves nothing again that is there with the same bytes, whatever its number`() async throws {
        try await Scratch.with { folder in
            let texts = ["one", "two", "one", "two", "", "", "onx"]
            let ends = try texts.map { text in
                let target = try FileTarget(named: "log.txt", in: folder)
                try target.write(Array(text.utf8))
                return try target.finish()
            }
            #expect(ends.map(\.wasThere) == [false, false, true, true, false, true, false])
            #expect(ends[2].path == ends[0].path && ends[3].path == ends[1].path && ends[5].path == ends[4].path)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 4)
            let long = [UInt8](repeating: 7, count: 200_000)
            for (bytes, count) in [(long, 5), (long, 5), (long.dropLast() + [8], 6)] {
                let target = try FileTarget(named: "log.txt", in: folder)
                try target.write(bytes)
                _ = try target.finish()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == count)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0))
    func `saves also what somebody else has there with the same bytes, for they can change it`() async throws {
        try await Scratch.with { folder in
            let theirs = try save("one", as: "log.txt", in: folder)
            try #require(chown(theirs, 1_234, 1_234) == 0)
            #expect(try save("one", as: "log.txt", in: folder) == "\(folder)/log (2).txt")
            #expect(try save("one", as: "log.txt", in: folder) == "\(folder)/log (2).txt")
        }
    }

    @Test func `counts also where a name is as long as names can be`() async throws {
        try await Scratch.with { folder in
            let name = String(repeating: "é", count: 125) + "x.jpg"
            #expect(name.utf8.count <= 255)
            for number in 1...11 { _ = try save("\(number)", as: name, in: folder) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 11)
        }
    }

    @Test func `follows no link that has the name, and is no folder's place`() async throws {
        try await Scratch.with { folder in
            let other = "\(folder)/other"
            try FileManager.default.createSymbolicLink(atPath: "\(folder)/a", withDestinationPath: other)
            try FileManager.default.createDirectory(atPath: "\(folder)/b", withIntermediateDirectories: true)
            let paths = try ["a", "b"].map { try save("mine", as: $0, in: folder) }
            #expect(paths == ["\(folder)/a (2)", "\(folder)/b (2)"])
            #expect(!FileManager.default.fileExists(atPath: other))
        }
    }

    @Test func `leaves nothing of a file that did not come to its end`() async throws {
        try await Scratch.with { folder in
            try FileTarget(named: "a", in: folder).write([1, 2, 3])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func `makes a folder that is not there, and refuses one that cannot be`() async throws {
        try await Scratch.with { folder in
            let path = try save("", as: "a", in: "\(folder)/new")
            #expect(path == "\(folder)/new/a")
            #expect(throws: Failure.self) { try FileTarget(named: "a", in: "\(folder)/no/such") }
            #expect(throws: Failure.self) { try FileTarget(named: "a", in: "\(folder)/new/a") }
        }
    }
}
