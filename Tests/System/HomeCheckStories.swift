import Foundation
import Testing
import Waiting

extension Stories {
    @Suite("Home check")
    struct HomeChecks {
        private struct Report: Decodable {
            struct Finding: Decodable {
                let part: String
                let file: String?
                let repair: String
            }
            let running: Bool
            let operations: Int
            let files: Int
            let findings: [Finding]
        }

        private let scratch: Scratch

        init() throws { scratch = try Scratch() }

        private func check(_ node: TestNode) async throws -> (report: Report, status: Int32) {
            let outcome = try await node.outcome(["home", "check", "--json"])
            return (try node.decode(outcome.output), outcome.status)
        }

        @Test
        func `a home is looked at while its node runs and when it is stopped, and only what is damaged is told`()
            async throws
        {
            let (alice, bob, conversation) = try await couple()
            let log = scratch.file("log.txt")
            try Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: URL(filePath: log))
            try await alice.run("send", conversation, "A text whose words are found")
            let sent: SentFile = try await alice.answer("send", conversation, "--file", log)
            await eventually("Bob has it") {
                try await bob.answer("files", conversation, as: [FileState].self).map(\.state) == ["here"]
            }
            for node in [alice, bob] {
                let (report, status) = try await check(node)
                #expect(status == 0 && report.findings.isEmpty && report.running && report.files == 1, "\(report)")
                #expect(report.operations >= 4)
            }
            let file = try #require(sent.files.first?.id)
            let disk = try #require(FileHandle(forUpdatingAtPath: "\(alice.home)/blobs/\(file)"))
            try disk.seek(toOffset: 100_000)
            try disk.write(contentsOf: Data("not what was sent".utf8))
            try disk.close()
            for isRunning in [true, false] {
                if !isRunning { await alice.stop() }
                let (report, status) = try await check(alice)
                #expect(status == 1 && report.running == isRunning)
                #expect(report.findings.map(\.part) == ["file"] && report.findings.first?.file == file)
                #expect(report.findings.first?.repair == "peers")
            }
            let left = try FileManager.default.contentsOfDirectory(atPath: alice.home)
            #expect(!left.contains { $0.hasPrefix("copy-") }, "\(left)")

            // Somewhere in the middle of the file, over a whole page.
            let path = alice.home + "/replica.sqlite"
            let database = try #require(FileHandle(forUpdatingAtPath: path))
            let size = try database.seekToEnd()
            try database.seek(toOffset: size / 8_192 * 4_096)
            try database.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
            try database.close()
            let (report, status) = try await check(alice)
            #expect(status == 1 && report.findings.contains { $0.part == "database" }, "\(report)")
            let empty = try TestNode("Nadia")
            #expect(try await empty.outcome(["home", "check"]).status == 1)
            #expect(try await empty.outcome(["home", "check"]).errors.contains("invalid_operation"))
        }

        private struct FileState: Decodable {
            let state: String
        }

        private struct SentFile: Decodable {
            struct File: Decodable {
                let id: String
            }
            let files: [File]
        }
    }
}
