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
    private let author: Author

    init() {
        var random = SeededRandom(seed: 5)
        author = Author(
            user: UserID(digest: .hash("moot/1/test", [2])), key: SigningKey.generate(using: &random))
    }

    /// A batch of bodies of one length that lacks what it depends on.
    private func batch(_ count: Int, bytes: Int, from first: Int = 0) -> Batch {
        let forge = OperationForge(author: author, conversation: conversation, time: StrangerGroupFixture.moment.wall)
        let heads = [OperationID(digest: .hash("moot/1/test", [4]))]
        return Batch(
            lane: .membership,
            operations: (first..<first + count).map { number in
                forge.membership(
                    OperationType(rawValue: 99), [UInt8](repeating: UInt8(number % 256), count: bytes), on: heads)
            })
    }

    private func fits(_ batch: Batch, in pending: inout PendingBatches) -> Bool {
        pending.insert(
            batch, of: conversation, from: PeerHandle(rawValue: 1), missing: [], at: Instant(sinceStart: .zero))
    }

    @Test
    func `of one device takes no more than its room, also where nothing of it waits yet`() {
        var pending = PendingBatches()
        #expect(!fits(batch(5, bytes: Limits.maximumBodyBytes), in: &pending))
        #expect(pending.entries.isEmpty)
        #expect(fits(batch(3, bytes: Limits.maximumBodyBytes), in: &pending))
        #expect(!fits(batch(1, bytes: Limits.maximumBodyBytes, from: 3), in: &pending))
    }
}
