import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing

@Suite("A node stops and starts again")
struct RestartTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what was committed is the same after a restart`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var room = try Room(people: 4, using: &random)
        try room.live(steps: 60, using: &random)
        let directory = try TemporaryDirectory()
        var live = StoredReplica(of: room.conversation, in: try directory.open())
        for batch in room.commits.shuffled(using: &random) { try live.receive(batch) }
        #expect(live.waiting.isEmpty)
        try live.store.close()

        let store = try directory.open()
        let restored = try store.restoreLog(of: room.conversation)
        #expect(restored.membershipFrontier == live.log.membershipFrontier)
        #expect(restored.contentFrontier == live.log.contentFrontier)
        #expect(restored.contentHeads == live.log.contentHeads)
        #expect(restored.membership.operations == live.log.membership.operations)
        #expect(restored.membership.heads == live.log.membership.heads)
        #expect(try store.integrityCheck() == [])
        #expect(store.conversations().map(\.id) == [room.conversation])
    }

    @Test func `the replica epoch is minted once`() throws {
        let directory = try TemporaryDirectory()
        let first = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Array(repeating: 7, count: 16))
        try first.close()
        let second = try ReplicaStore(at: directory.file("replica.db"), replicaEpoch: Array(repeating: 8, count: 16))
        #expect(second.replicaEpoch == Array(repeating: 7, count: 16))
    }
}
