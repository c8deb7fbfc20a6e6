import BlobStore
import Blobs
import Foundation
import LocalAPIModel
import Node
import Synchronization

/// How fast a file gets from one node to another, how live messages fare meanwhile, and what memory it takes.
///
/// The file is sent several times, each time after as many bytes were moved over a plain socket: both meet the machine
/// in the same mood.
struct FileTransfer: Codable {
    var megabytes: Int
    /// From the message with the file being sent until all of it is at the other node: encrypted, hashed, written.
    var seconds: Double
    /// Processor time of both nodes meanwhile, of the live messages too.
    var processorSeconds: Double
    /// The same bytes from one file to another over a plain socket, as `nc` moves them.
    var plainSeconds: Double
    var plainProcessorSeconds: Double
    /// To seal and hash the file at its sender, before it is sent.
    var puttingInSeconds: Double
    /// Live messages between the same nodes, in milliseconds: while nothing else happens, and while the file is on its
    /// way.
    var quietNinetyNine: Double
    var busyNinetyNine: Double
    /// Messages written meanwhile.
    var busyMessages: Int
    /// How much the memory of this process, which holds both nodes, grew at most while the file was on its way.
    var memoryGrowthMegabytes: Double

    static let megabytes = 100
    private static let rounds = 5

    static func measure(in folder: URL) async throws -> FileTransfer {
        let source = folder.appendingPathComponent("source").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(megabytes << 20, to: source)
        let alice = try await BenchNode.start("Alice", in: folder)
        let bob = try await BenchNode.start("Bob", in: folder, peers: [try await alice.address])
        try await BenchNode.wait("two nodes meet") {
            // Introduced, not only connected.
            await alice.node.people().contains { $0.name == "Bob" }
        }
        let group = try await alice.node.openDirect(with: "Bob")
        _ = try await alice.node.send(["first"], to: group.id)
        try await BenchNode.wait("the conversation arrives") { await bob.node.status().conversations.count == 1 }
        try await Task.sleep(for: .milliseconds(500))
        let quiet = try await latencies(from: alice, to: bob, in: group.id) { $0 == 200 }
        var (puttingIn, plain, whole): ([Double], [Cost], [Round]) = ([], [], [])
        for _ in 0..<rounds {
            let clock = ContinuousClock()
            let begin = clock.now
            let reference = try putIn(source, to: alice)
            puttingIn.append(begin.duration(to: clock.now).seconds)
            let id = try await alice.node.take(reference, named: "source").id
            try makeRoom(in: folder)
            plain.append(try LoopbackCopy.measure(from: source, to: folder.appendingPathComponent("copy").path))
            try makeRoom(in: folder)
            whole.append(try await send(id, from: alice, to: bob, in: group.id))
        }
        for one in [alice, bob] { await one.node.stop() }
        let busy = whole.flatMap(\.latencies)
        return FileTransfer(
            megabytes: megabytes, seconds: Statistics(whole.map(\.cost.seconds)).median,
            processorSeconds: Statistics(whole.map(\.cost.processorSeconds)).median,
            plainSeconds: Statistics(plain.map(\.seconds)).median,
            plainProcessorSeconds: Statistics(plain.map(\.processorSeconds)).median,
            puttingInSeconds: Statistics(puttingIn).median, quietNinetyNine: Statistics(quiet).quantile(0.99),
            busyNinetyNine: Statistics(busy).quantile(0.99), busyMessages: busy.count,
            memoryGrowthMegabytes: Statistics(whole.map(\.memoryGrowthMegabytes)).maximum)
    }

    /// The file on its way once.
    private struct Round {
        let cost: Cost
        let latencies: [Double]
        let memoryGrowthMegabytes: Double
    }

    private static func putIn(_ source: String, to alice: BenchNode) throws -> BlobReference {
        var upload = try alice.node.receiveFile()
        let file = FileHandle(forReadingAtPath: source)
        while let piece = try file?.read(upToCount: 1 << 20), !piece.isEmpty { _ = try upload.append(piece) }
        guard let reference = try upload.finish(mediaType: .unknown) else { throw BenchError("the file is too long") }
        return reference
    }

    private static func send(
        _ id: String, from alice: BenchNode, to bob: BenchNode, in conversation: String
    ) async throws -> Round {
        let before = residentBytes()
        let arrival = Mutex<Cost?>(nil)
        let events = await bob.node.subscribe().events
        let start = Cost.now
        _ = try await alice.node.send("a file", files: [id], to: conversation)
        async let watch = { () -> Int in
            var most = residentBytes()
            for await event in events where event.event.file != nil {
                most = max(most, residentBytes())
                if event.event.file?.state == .here { break }
            }
            arrival.withLock { $0 = start.cost }
            return most
        }()
        let busy = try await latencies(from: alice, to: bob, in: conversation) { _ in arrival.withLock { $0 != nil } }
        let most = await watch
        guard let cost = arrival.withLock({ $0 }) else { throw BenchError("the file did not arrive") }
        return Round(cost: cost, latencies: busy, memoryGrowthMegabytes: Double(most - before) / 1_048_576)
    }

    /// Leaves the system with memory that was in use a moment ago, and is about to be given to a file.
    ///
    /// A virtual machine gets memory it never touched from its host, at ten times the cost of writing to it. Without
    /// this, what is measured first would pay for that.
    private static func makeRoom(in folder: URL) throws {
        let filler = folder.appendingPathComponent("filler")
        try write(2 * megabytes << 20, to: filler.path)
        try FileManager.default.removeItem(at: filler)
    }

    /// Milliseconds that messages took from being durable until they were shown, one every few milliseconds until it is
    /// enough.
    private static func latencies(
        from alice: BenchNode, to bob: BenchNode, in conversation: String, until isEnough: (Int) -> Bool
    ) async throws -> [Double] {
        let clock = ContinuousClock()
        var samples: [Double] = []
        var events = await bob.node.subscribe().events.makeAsyncIterator()
        while !isEnough(samples.count) {
            let sent = try await alice.node.send(["live message \(samples.count)"], to: conversation)
            let start = clock.now
            while let event = await events.next(), event.event.message?.id != sent.first?.id {}
            samples.append(start.duration(to: clock.now).milliseconds)
            try await Task.sleep(for: .milliseconds(5))
        }
        return samples
    }

    private static func write(_ count: Int, to path: String) throws {
        let block = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw BenchError("cannot write \(path)")
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        for _ in 0..<count / block.count { try file.write(contentsOf: block) }
        try file.close()
    }

    /// What this process has in memory.
    private static func residentBytes() -> Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * sysconf(Int32(_SC_PAGESIZE))
    }
}
