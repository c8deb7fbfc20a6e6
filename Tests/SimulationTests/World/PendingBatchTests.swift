import Conversations
import Cryptography
import OperationLog
import Replication
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// How much may wait for operations that have not come.
@Suite("What waits")
struct PendingBatchTests {
    private let conversation = ConversationID(digest: .hash("moot/1/test", [1]))
    private let author = author(5)

    /// Somebody with a device of their own.
    private static func author(_ seed: UInt64) -> Author {
        var random = SeededRandom(seed: seed)
        return Author(user: UserID(digest: .hash("moot/1/test", [2])), key: SigningKey.generate(using: &random))
    }

    /// A batch of bodies of one length that lacks what it depends on.
    private func batch(_ count: Int, bytes: Int, from first: Int = 0, by author: Author? = nil) -> Batch {
        let author = author ?? self.author
        let forge = OperationForge(author: author, conversation: conversation, time: StrangerGroupFixture.moment.wall)
        let heads = [OperationID(digest: .hash("moot/1/test", [4]))]
        return Batch(
            lane: .membership,
            operations: (first..<first + count).map { number in
                forge.membership(
                    OperationType(rawValue: 99), [UInt8](repeating: UInt8(number % 256), count: bytes), on: heads)
            })
    }

    private func fits(
        _ batch: Batch, in pending: inout PendingBatches, from peer: UInt64 = 1, isStranger: Bool = false
    ) -> Bool {
        pending.insert(
            batch, of: conversation, from: PeerHandle(rawValue: peer), .answer, missing: [], isStranger: isStranger,
            at: Instant(sinceStart: .zero))
    }

    @Test
    func `of strangers leaves room for others, however many they are`() {
        var pending = PendingBatches()
        var taken = 0
        for number in 0..<100 {
            let batch = batch(3, bytes: Limits.maximumBodyBytes, by: Self.author(UInt64(100 + number)))
            if fits(batch, in: &pending, from: UInt64(number), isStranger: true) { taken += 1 }
        }
        #expect(taken > 30 && taken < 50)
        #expect(fits(batch(3, bytes: Limits.maximumBodyBytes), in: &pending, from: 100))
    }

    @Test
    func `of one device takes no more than its room, also where nothing of it waits yet`() {
        var pending = PendingBatches()
        #expect(!fits(batch(5, bytes: Limits.maximumBodyBytes), in: &pending))
        #expect(pending.entries.isEmpty)
        #expect(fits(batch(3, bytes: Limits.maximumBodyBytes), in: &pending))
        #expect(!fits(batch(1, bytes: Limits.maximumBodyBytes, from: 3), in: &pending))
    }

    private func name(_ number: UInt8) -> OperationID { OperationID(digest: .hash("moot/1/test", [5, number])) }

    @Test
    func `is taken out with the last operation that it lacks, in the order it came, and leaves its room`() {
        var pending = PendingBatches()
        let batches = [batch(1, bytes: 10), batch(1, bytes: 20, from: 1), batch(1, bytes: 30, from: 2)]
        let lacking: [Set<OperationID>] = [[name(1), name(2)], [name(2)], [name(3)]]
        let peer = PeerHandle(rawValue: 1)
        for (batch, missing) in zip(batches, lacking) {
            for _ in 0..<2 {
                let isWaiting = pending.insert(
                    batch, of: conversation, from: peer, .answer, missing: missing, isStranger: false,
                    at: Instant(sinceStart: .zero))
                #expect(isWaiting)
            }
        }
        #expect(pending.count(of: conversation) == 3)
        let source = PendingBatches.Source(peer: peer, conversation: conversation, lane: .membership)
        #expect(pending.holds(source))
        #expect(!pending.holds(.init(peer: peer, conversation: conversation, lane: .content)))
        let other = ConversationID(digest: .hash("moot/1/test", [9]))
        let others = pending.release(in: other, admitted: [name(2)])
        #expect(others.isEmpty)
        let early = pending.release(in: conversation, admitted: [name(1)])
        #expect(early.isEmpty)
        let released = pending.release(in: conversation, admitted: [name(2), name(4)])
        #expect(released.map { $0.batch.operations.map(\.id) } == batches.prefix(2).map { $0.operations.map(\.id) })
        let again = pending.release(in: conversation, admitted: [name(1), name(2)])
        #expect(again.isEmpty)
        #expect(pending.count(of: conversation) == 1)
        _ = pending.release(in: conversation, admitted: [name(3)])
        #expect(pending.isEmpty && !pending.holds(source))
        #expect(fits(batch(3, bytes: Limits.maximumBodyBytes), in: &pending), "all its room is free again")
    }

    @Test
    func `is dropped when it has waited too long, and nothing younger`() {
        var pending = PendingBatches()
        for number in 0..<3 {
            let now = Instant(sinceStart: .seconds(10 * number))
            _ = pending.insert(
                batch(1, bytes: 10, from: number), of: conversation, from: PeerHandle(rawValue: 1),
                .answer, missing: [name(UInt8(number))], isStranger: false, at: now)
        }
        _ = pending.release(in: conversation, admitted: [name(0)])
        let due = Instant(sinceStart: .seconds(10) + PendingBatches.lifetime)
        #expect(pending.nextDeadline == due, "of what has come in time nothing is due")
        pending.expire(at: Instant(sinceStart: .seconds(9) + PendingBatches.lifetime))
        #expect(pending.entries.count == 2)
        pending.expire(at: due)
        #expect(pending.entries.map(\.since) == [Instant(sinceStart: .seconds(20))])
        #expect(pending.nextDeadline == due + .seconds(10))
        _ = pending.release(in: conversation, admitted: [name(2)])
        #expect(pending.isEmpty && pending.nextDeadline == nil)
    }
}
