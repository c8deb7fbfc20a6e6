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

/// What Alice keeps for themselves, on a disk that fails.
@Suite("Private state on a virtual disk")
struct ConversationPreferencesTests {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let keys: NodeCore.Keys
    private let moment = Moment(monotonic: Instant(sinceStart: .zero), wall: Timestamp(clamping: 1_800_000_000_000))
    private let others: [UserID]

    init() throws {
        var random = SeededRandom(seed: 1)
        keys = Person(using: &random).nodeKeys(using: &random)
        others = [Person(using: &random).user, Person(using: &random).user]
    }

    private func start() throws(StoreError) -> NodeCore {
        try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: [],
            random: SeededRandom(seed: 2), at: moment)
    }

    private func draft(_ text: String) -> ConversationPreferencesUpdate {
        var change = ConversationPreferencesUpdate()
        change.draft = text
        return change
    }

    @Test func `survives the loss of power, and does not lie there as it was written`() throws {
        var core = try start()
        let direct = try core.openDirect(with: others[0], at: moment)
        try core.change(draft("Nobody must read this"), of: direct, at: moment)
        disk.losePower()
        #expect(try start().preferences(of: direct).draft == "Nobody must read this")
        let kept = try #require(disk.image.preferences[direct])
        #expect(!String(decoding: kept, as: UTF8.self).contains("Nobody"))
    }

    @Test func `is as it was where the disk refuses`() throws {
        var core = try start()
        let direct = try core.openDirect(with: others[0], at: moment)
        try core.change(draft("before"), of: direct, at: moment)
        disk.condition = .full
        let error = #expect(throws: NodeError.self) { try core.change(draft("after"), of: direct, at: moment) }
        #expect(error?.code == .diskFull)
        #expect(core.preferences(of: direct).draft == "before")
    }

    @Test func `of another conversation does not open`() throws {
        var core = try start()
        let first = try core.openDirect(with: others[0], at: moment)
        let second = try core.openDirect(with: others[1], at: moment)
        try core.change(draft("for the first"), of: first, at: moment)
        try disk.save(preferences: [second: try #require(disk.image.preferences[first])])
        #expect(throws: StoreError.self) { try start() }
    }
}
