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
