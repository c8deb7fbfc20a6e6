import Foundation
import PhotoFixtures
import PhotoRendering
import PhotoWorkers
import Photos
import Testing

@Suite("Processes that read pictures")
struct PhotoWorkerTests {
    /// Built next to this test bundle.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "moot-photo").path

    private static let file = PNGFile(width: 40, height: 30) { x, _ in x < 20 ? .red : .green }.encoded

    @Test
    func `answer as the renderer does`() async throws {
        let worker = PhotoWorker(program: Self.program)
        #expect(try await worker.photo(of: Self.file) == PhotoRenderer.photo(of: Self.file))
        await #expect(throws: PhotoError.format) { try await worker.photo(of: Array("GIF89a".utf8)) }
        await #expect(throws: PhotoError.truncated) { try await worker.photo(of: Array(Self.file.prefix(500))) }
    }

    @Test
    func `refuse what needs more memory than they have`() async throws {
        var bomb = PNGFile(width: 1, height: 1) { _, _ in .red }
        (bomb.width, bomb.height) = (60_000, 60_000)
        await #expect(throws: PhotoError.tooLarge) {
            try await PhotoWorker(program: Self.program).photo(of: PNGFile.magic + bomb.header)
        }
        var limits = PhotoLimits()
        limits.fileByteCount = 10
        await #expect(throws: PhotoError.tooLarge) {
            try await PhotoWorker(program: Self.program, limits: limits).photo(of: Self.file)
        }
    }

    @Test
    func `that somebody else put there are not run`() async throws {
        _ = try await PhotoWorker().photo(of: Self.file)
        await #expect(throws: PhotoError.unavailable) {
            try await PhotoWorker { _, _ in false }.photo(of: Self.file)
        }
    }

    @Test
    func `that are missing are unavailable`() async {
        await #expect(throws: PhotoError.unavailable) {
            try await PhotoWorker(program: "/nowhere/moot-photo").photo(of: Self.file)
        }
    }

    @Test(arguments: [
        ("/usr/bin/moot", ["/usr/bin/moot-photo", "/usr/libexec/moot/moot-photo"]),
        (
            "/home/alice/.build/debug/moot",
            ["/home/alice/.build/debug/moot-photo", "/home/alice/.build/libexec/moot/moot-photo"]
        ),
        ("/moot", ["/moot-photo", "/libexec/moot/moot-photo"]),
    ])
    func `are looked for beside the program, then where a package puts them`(program: String, places: [String]) {
        #expect(PhotoWorker.places(for: program) == places)
    }

    /// What a process might do, as a shell script, and what becomes of it.
    private static let misbehavior: [(String, PhotoError)] = [
        ("exit 0", .broken), ("exit 1", .broken), ("exit \(PhotoResponse.unconfinedStatus)", .unavailable),
        ("echo nonsense", .broken), ("printf '\\003'", .broken), ("printf '\\007'", .broken),
        ("kill -SEGV $$", .broken), ("sleep 60", .timeout),
        ("head -c 6000000 /dev/zero", .broken), ("cat", .broken),
    ]

    @Test(arguments: misbehavior)
    func `that misbehave make no photo`(script: String, error: PhotoError) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "moot-photos-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "moot-photo").path
        // Another process writes it: one that was started meanwhile would hold ours open, and what is written cannot be
        // run.
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", #"printf '#!/bin/sh\n%s\n' "$2" > "$1" && chmod 700 "$1""#, "write", program, script]
        try writer.run()
        writer.waitUntilExit()
        var limits = PhotoLimits()
        limits.timeout = .seconds(script.hasPrefix("sleep") ? 1 : 20)
        await #expect(throws: error) {
            try await PhotoWorker(program: program, limits: limits).photo(of: Self.file)
        }
    }
}
