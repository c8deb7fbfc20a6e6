import Conversations
import OperationLog
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node keeps the keys to which others seal.
@Suite("The machine for this device's keys")
struct KeyManagerTests {
    private static let week: Duration = .seconds(7 * 24 * 3_600)
    private var trio: Trio
    private let group: ConversationID
    private var random = SeededRandom(seed: 9)

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        self.trio = trio
    }

    private var counter: UInt64 { trio.alice.keyManager.wrapKeys.record.counter }

    /// Replaces the key at a time.
    private mutating func replace(after duration: Duration, beyond counter: UInt64 = 0) throws {
        trio.cores[0].moment = Trio.after(duration)
        let context = trio.alice.context
        try trio.cores[0].keyManager.replace(beyond: counter, in: context, using: &random)
    }

    @Test mutating func `a key is in use for a week`() throws {
        #expect(!trio.alice.keyManager.needsReplacement(at: Trio.after(Self.week - .milliseconds(1)).wall))
        #expect(trio.alice.keyManager.needsReplacement(at: Trio.after(Self.week).wall))
        try replace(after: Self.week)
        #expect(counter == 2)
        #expect(!trio.alice.keyManager.needsReplacement(at: Trio.after(Self.week).wall))
    }

    @Test mutating func `a new key is published in every conversation, and once`() throws {
        let replica = try #require(trio.alice.replicas[group])
        #expect(trio.alice.keyManager.publication(in: replica, trio.alice.context) == nil)
        try replace(after: Self.week)
        #expect(trio.alice.keyManager.duePublications == [group])
        #expect(trio.alice.keyManager.publication(in: replica, trio.alice.context) != nil)
        trio.cores[0].publishKeys()
        #expect(trio.alice.keyManager.duePublications.isEmpty)
        let published = try #require(trio.alice.replicas[group])
        #expect(trio.alice.keyManager.publication(in: published, trio.alice.context) == nil)
    }

    @Test mutating func `a secret goes ninety days after its key was replaced`() throws {
        try replace(after: Self.week)
        let erase = { (trio: inout Trio, days: Int) throws(StoreError) in
            trio.cores[0].moment = Trio.after(Self.week + .seconds(days * 24 * 3_600))
            let context = trio.alice.context
            try trio.cores[0].keyManager.eraseExpired(in: context)
        }
        try erase(&trio, 89)
        #expect(trio.alice.keyManager.wrapKeys.entries.map(\.counter) == [1, 2])
        try erase(&trio, 90)
        #expect(trio.alice.keyManager.wrapKeys.entries.map(\.counter) == [2])
        #expect(try trio.disks[0].wrapSecrets().map(\.counter) == [2])
    }

    @Test mutating func `keys are there again after a start`() throws {
        try replace(after: Self.week)
        let again = try KeyManager(
            in: trio.disks[0], keys: trio.alice.keys, at: Trio.after(Self.week).wall, using: &random)
        #expect(again.wrapKeys.record == trio.alice.keyManager.wrapKeys.record)
    }

    @Test mutating func `a home put back from a backup goes beyond the key that others know`() throws {
        let before = trio.alice.keyManager
        try replace(after: Self.week)
        trio.cores[0].publishKeys()
        trio.cores[0].keyManager = before
        let replica = try #require(trio.alice.replicas[group])
        #expect(trio.alice.keyManager.forgottenCounter(in: replica, trio.alice.context) == 2)
        try replace(after: Self.week, beyond: 2)
        #expect(counter == 3)
        #expect(trio.alice.keyManager.forgottenCounter(in: replica, trio.alice.context) == nil)
    }

    @Test mutating func `the old key stays in use when the new one cannot be stored`() throws {
        trio.disks[0].condition = .full
        #expect(throws: StoreError.diskFull) { try replace(after: Self.week) }
        #expect(counter == 1)
        #expect(trio.alice.keyManager.duePublications == trio.bob.keyManager.duePublications)
    }
}
