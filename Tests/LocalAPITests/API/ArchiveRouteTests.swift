import Foundation
import LocalAPIModel
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("The local API about archives of files")
struct ArchiveRouteTests {
    @Test func `puts files into one archive that others read, each under a name of its own`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            var ids: [String] = []
            for (bytes, name) in [
                (Array("tides".utf8), "tides.txt"), (large, "Gezeiten für morgen.bin"),
                (Array("other".utf8), "tides.txt"),
                ([], "empty"),
            ] as [([UInt8], String)] {
                ids.append(try await alice.client.upload(bytes, named: name, mediaType: "application/octet-stream").id)
            }
            _ = try await alice.client.send(nil, files: ids, to: group.id)
            var request = LocalRequest(.get, "conversations", group.id, "archive")
            request.target += "?files=" + ids.map { String($0.prefix(16)) }.joined(separator: ",")
            let answer = try await alice.client.exchange(request)
            #expect(answer.status == 200)
            try await Scratch.with { folder in
                try Data(answer.body).write(to: URL(filePath: folder + "/a.zip"))
                let unpacking = Process()
                unpacking.executableURL = URL(filePath: "/usr/bin/python3")
                unpacking.arguments = [
                    "-c",
                    "import sys, zipfile; a = zipfile.ZipFile(sys.argv[1]); assert a.testzip() is None; a.extractall(sys.argv[2])",
                    folder + "/a.zip", folder + "/out",
                ]
                try unpacking.run()
                unpacking.waitUntilExit()
                #expect(unpacking.terminationStatus == 0)
                func content(_ name: String) throws -> [UInt8] {
                    Array(try Data(contentsOf: URL(filePath: folder + "/out/" + name)))
                }
                #expect(try content("tides.txt") == Array("tides".utf8))
                #expect(try content("tides (2).txt") == Array("other".utf8))
                #expect(try content("Gezeiten für morgen.bin") == large)
                #expect(try content("empty").isEmpty)
            }
        }
    }

    @Test func `refuses files of elsewhere, what is not here, and too many`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let file = try await alice.client.upload([1], named: "a", mediaType: "application/octet-stream")
            for (files, status) in [
                (file.id, 404), ("0123", 404), ("", 400),
                (Array(repeating: "0123", count: ZipArchive.maximumFiles + 1).joined(separator: ","), 400),
            ] {
                var request = LocalRequest(.get, "conversations", group.id, "archive")
                request.target += "?files=" + files
                #expect(try await alice.client.exchange(request).status == status, "\(files.prefix(70))")
            }
        }
    }

    @Test func `an archive is exactly as long as it says, and never too long for its form`() throws {
        let entries = (0..<3).map { ZipArchive.Entry(name: "a", length: $0) }
        var archive = try #require(ZipArchive(of: entries))
        var count = 0
        for entry in entries {
            count += archive.begin().count + entry.length
            count += archive.end(sum: 0).count
        }
        #expect(count + archive.directory().count == archive.length)
        let film = ZipArchive.Entry(name: "film", length: 100 << 20)
        #expect(ZipArchive(of: Array(repeating: film, count: 41)) == nil)
        #expect(ZipArchive(of: Array(repeating: ZipArchive.Entry(name: "a", length: 1), count: 257)) == nil)
    }

    @Test func `sums are those of the standard`() {
        var sum = CRC32()
        sum.add(Array("1234".utf8))
        sum.add(Array("56789".utf8))
        #expect(sum.sum == 0xCBF4_3926)
    }
}
