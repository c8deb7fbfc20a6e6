import Conversations
import Cryptography
import NodeCore
import OperationLog
import OperationLogFixtures
import Replication
import Storage
import Testing
import Time

@testable import Simulation

/// Whom Alice does not want to hear, on a disk that fails.
@Suite("A list of blocked people on a virtual disk")
struct BlockListTests {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let keys: NodeCore.Keys
    private let moment = Moment(monotonic: Instant(sinceStart: .zero), wall: Timestamp(clamping: 1_800_000_000_000))
    private let bob: UserID

    init() throws {
        var random = SeededRandom(seed: 1)
        keys = Person(using: &random).nodeKeys(using: &random)
        bob = Person(using: &random).user
    }

    private func start() throws(StoreError) -> NodeCore {
        try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: [],
            random: SeededRandom(seed: 2), at: moment)
    }

    @Test func `survives the loss of power, and names nobody on the disk`() throws {
        var core = try start()
        try core.setBlocked(true, of: bob, at: moment)
        disk.losePower()
        #expect(try start().isBlocked(bob))
        let rows = disk.image.personMarks
        #expect(rows.count == 1 && rows[bob.digest] == nil)
        for kept in rows.values { #expect(!kept.indices.contains { kept[$0...].starts(with: bob.digest.bytes) }) }
        var again = try start()
        try again.setBlocked(false, of: bob, at: moment)
        #expect(try start().blocked.isEmpty)
    }

    /// Seals a list as versions did that kept it in one piece.
    private func list(called name: String, _ marks: [UserID: Bool]) -> [UInt8] {
        var (list, random) = (PersonMarks(), SeededRandom(seed: 3))
        for (user, isMarked) in marks {
            list.apply(list.changes(marking: user, isMarked, at: moment.wall, by: keys.author.device.id) ?? [:])
        }
        let cell = StorageLocation(table: "settings", row: Array(name.utf8), kind: "people")
        return keys.sealing.seal(list.encoded, in: cell, using: &random)
    }

    @Test(arguments: [VirtualDisk.CutPoint?.none] + VirtualDisk.CutPoint.allCases)
    func `of an earlier version is carried over once, also where the power fails meanwhile`(
        point: VirtualDisk.CutPoint?
    ) throws {
        var random = SeededRandom(seed: 4)
        let carol = Person(using: &random).user
        _ = try start()
        try disk.save(
            earlierBlocked: list(called: "blocked", [bob: true, carol: false]),
            verified: list(called: "verified", [carol: true]))
        if let point {
            disk.cutPoint = point
            #expect(throws: StoreError.self) { try start() }
            disk.losePower()
            #expect((try disk.earlierPersonMarks() == nil) == (point == .afterSyncing))
        }
        for _ in 1...2 {
            var core = try start()
            #expect(core.blocked == [bob] && core.contacts[carol].isVerified)
            #expect(try disk.earlierPersonMarks() == nil && disk.image.personMarks.count == 3)
            // Had the lists come back, the person would be blocked again.
            try core.setBlocked(false, of: bob, at: moment)
            try core.setBlocked(true, of: bob, at: moment)
        }
    }

    @Test func `of an earlier version that does not open stops the start, and stays`() throws {
        _ = try start()
        try disk.save(earlierBlocked: list(called: "verified", [bob: true]), verified: nil)
        #expect(throws: StoreError.self) { try start() }
        #expect(try disk.earlierPersonMarks() != nil)
    }

    @Test func `is as it was where the disk refuses`() throws {
        var core = try start()
        disk.condition = .full
        let error = #expect(throws: NodeError.self) { try core.setBlocked(true, of: bob, at: moment) }
        #expect(error?.code == .diskFull)
        #expect(!core.isBlocked(bob))
    }

    @Test func `never has the user themselves, and lets nobody write to whom they do not hear`() throws {
        var core = try start()
        #expect(throws: NodeError.self) { try core.setBlocked(true, of: core.me, at: moment) }
        let direct = try core.openDirect(with: bob, at: moment)
        try core.setBlocked(true, of: bob, at: moment)
        #expect(try core.isHidden(#require(core.replicas[direct])))
        for error in [
            #expect(throws: NodeError.self) { try core.send(["Hello"], to: direct, at: moment) },
            #expect(throws: NodeError.self) { try core.type(in: direct, at: moment) },
        ] {
            #expect(error?.code == .invalidOperation)
            // A name could be a command of its own in the shell of whoever pastes the hint.
            #expect(error?.hint?.hasSuffix("moot people unblock \(bob.description.prefix(16))") == true)
        }
    }
}
