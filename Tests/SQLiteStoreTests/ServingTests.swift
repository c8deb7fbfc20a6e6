import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Testing

@Suite("Serving a peer")
struct ServingTests {
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a new peer gets everything, in batches it can verify and admit`(seed: UInt64) throws {
        let stored = try StoredRoom(seed: seed)
        var peer = Replica(of: stored.conversation)
        for lane in Lane.allCases {
            for batch in try stored.serve(lane, beyond: [:]) {
                let received = try Batch(decoding: batch.encoded, of: stored.conversation)
                guard case .admitted = try peer.receive(received) else {
                    Issue.record("a batch follows those before it")
                    return
                }
            }
            #expect(peer.log.frontier(of: lane) == stored.replica.log.frontier(of: lane))
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a peer who knows a part gets exactly the rest`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let stored = try StoredRoom(seed: seed)
        let known = Int.random(in: 0..<stored.room.commits.count, using: &random)
        var peer = Replica(of: stored.conversation)
        for commit in stored.room.commits[..<known] { try peer.receive(commit) }
        let frontier = peer.log.contentFrontier
        let batches = try stored.serve(
            .content, beyond: frontier.tips.mapValues { .through($0.last?.sequenceNumber ?? 0) })
        let missing = Set(stored.content.map(\.id))
            .subtracting(stored.room.commits[..<known].flatMap(\.operations).map(\.id))
        #expect(batches.flatMap(\.operations).map(\.id).count == missing.count)
        #expect(Set(batches.flatMap(\.operations).map(\.id)) == missing)
        // Membership first, as a node does.
        for commit in stored.room.commits where commit.lane == .membership { try peer.receive(commit) }
        for batch in batches { try peer.receive(try Batch(decoding: batch.encoded, of: stored.conversation)) }
        #expect(peer.log.contentFrontier == stored.replica.log.contentFrontier)
        #expect(try stored.serve(.content, beyond: branches(of: peer)).isEmpty)
    }

    @Test func `bodies and signatures come back as they were`() throws {
        let stored = try StoredRoom(seed: 3)
        let served = try stored.serve(.content, beyond: [:]).flatMap(\.operations)
        #expect(served == stored.content)
    }

    @Test func `a peer who knows part of a commit gets its end with the signature`() throws {
        var stored = try StoredRoom(seed: 4, steps: 0)
        var random = SplitMix64(seed: 4)
        try stored.room.writeMessages(10, by: 1, using: &random)
        try stored.replica.receive(try #require(stored.room.commits.last))
        let author = stored.room.people[1].device
        let batches = try stored.serve(.content, beyond: [author: .through(6)])
        #expect(batches.flatMap(\.operations).map(\.header.sequenceNumber) == [7, 8, 9, 10])
        #expect(batches.last?.operations.last?.signature != nil)
    }

    @Test func `large histories are cut where every chain is signed`() throws {
        var stored = try StoredRoom(seed: 5, people: 3, steps: 0)
        var random = SplitMix64(seed: 5)
        for round in 0..<30 {
            try stored.room.writeMessages(300, by: round % 3, length: 150, using: &random)
            try stored.replica.receive(try #require(stored.room.commits.last))
        }
        let batches = try stored.serve(.content, beyond: [:])
        #expect(batches.flatMap(\.operations).count == 9_000)
        #expect(batches.count > 1)
        for batch in batches {
            #expect(batch.operations.count <= Limits.maximumBatchOperations)
            let encoded = batch.encoded
            #expect(encoded.count <= Limits.targetBatchBytes)
            #expect(try Batch(decoding: encoded, of: stored.conversation).operations.count == batch.operations.count)
        }
    }

    @Test func `what is committed while a peer is served is left to the next time`() throws {
        var stored = try StoredRoom(seed: 6)
        var random = SplitMix64(seed: 6)
        var cursor = try stored.store.serve(.content, of: stored.conversation, beyond: [:])
        let expected = cursor.remaining
        try stored.room.writeMessages(5, by: 0, using: &random)
        try stored.replica.receive(try #require(stored.room.commits.last))
        var count = 0
        while let batch = try stored.store.nextBatch(&cursor) { count += batch.operations.count }
        #expect(count == expected)
        #expect(cursor.remaining == 0)
    }

    @Test func `both branches of a fork reach a peer who has one`() throws {
        var stored = try StoredRoom(seed: 7, steps: 0)
        var random = SplitMix64(seed: 7)
        var twin = stored.room
        try stored.room.writeMessages(3, by: 0, using: &random)
        try twin.writeMessages(5, by: 0, using: &random)
        let ours = try #require(stored.room.commits.last)
        let theirs = try #require(twin.commits.last)
        try stored.replica.receive(ours)
        try stored.replica.receive(theirs)
        let forker = stored.room.people[0].device
        #expect(try stored.store.frontier(of: stored.conversation, lane: .content).tips[forker]?.count == 2)

        func served(to known: KnownChain) throws -> Set<OperationID> {
            Set(try stored.serve(.content, beyond: [forker: known]).flatMap(\.operations).map(\.id))
        }
        let ourTip = try #require(ours.operations.last).id
        let theirTip = try #require(theirs.operations.last).id
        #expect(try served(to: .branches([ourTip])) == Set(theirs.operations.map(\.id)))
        #expect(try served(to: .branches([theirTip])) == Set(ours.operations.map(\.id)))
        #expect(try served(to: .branches([ourTip, theirTip])).isEmpty)
        #expect(try served(to: .branches([OperationID(digest: .hash("test", [1]))])).count == 8)
        #expect(try stored.store.integrityCheck() == [])
    }

    @Test func `what is named is served whole, in the order of arrival, and what is not here is passed over`() throws {
        let stored = try StoredRoom(seed: 9)
        let lane = try stored.serve(.membership, beyond: [:]).flatMap(\.operations)
        let wanted = lane.enumerated().filter { !$0.offset.isMultiple(of: 3) }.map(\.element)
        let elsewhere = try #require(stored.content.first).id
        var cursor = stored.store.serve(
            membership: wanted.reversed().map(\.id) + [elsewhere, OperationID(digest: .hash("test", [1]))],
            of: stored.conversation)
        var served: [OperationLog.Operation] = []
        while let batch = try stored.store.nextBatch(&cursor) { served += batch.operations }
        #expect(served == wanted)
        #expect(served.count >= 2)
    }

    @Test func `a removal proof begins without a question to the database, however large that is`() throws {
        let stored = try StoredRoom(seed: 10)
        let lane = try stored.serve(.membership, beyond: [:]).flatMap(\.operations)
        // A file that is closed answers none.
        try stored.store.close()
        #expect(throws: StoreError.self) { try stored.serve(.membership, beyond: [:]) }
        #expect(stored.store.serve(membership: lane.map(\.id), of: stored.conversation).remaining == lane.count)
    }

    @Test func `nothing is served of an unknown conversation`() throws {
        let stored = try StoredRoom(seed: 8, steps: 0)
        var cursor = try stored.store.serve(
            .content, of: ConversationID(digest: .hash("test", [1])), beyond: [:])
        #expect(try stored.store.nextBatch(&cursor) == nil)
    }

    private func branches(of peer: Replica) -> [DeviceID: KnownChain] {
        peer.log.contentFrontier.tips.mapValues { .branches($0.map(\.id)) }
    }
}
