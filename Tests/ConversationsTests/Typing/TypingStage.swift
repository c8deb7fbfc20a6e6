import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

/// Alice, Bob and Carol, who write on the ship, and the key that they share.
struct TypingStage {
    let alice: Person
    let bob: Person
    let carol: Person
    let key: EpochKey
    let epoch = OperationID(digest: .hash("moot/1/test", Array("Epoch".utf8)))
    let ship = ConversationID(digest: .hash("moot/1/test", Array("Ship".utf8)))
    let boat = ConversationID(digest: .hash("moot/1/test", Array("Boat".utf8)))

    init() {
        var random = SplitMix64(seed: 3)
        (alice, bob, carol) = (Person(using: &random), Person(using: &random), Person(using: &random))
        key = EpochKey.generate(using: &random)
    }

    func signal(
        by person: Person, counter: UInt64 = 1, written: UInt64 = 0, replica: UInt8 = 1, reached: [Int] = [],
        in conversation: ConversationID? = nil
    ) -> TypingSignal {
        var told = DeliveredReaders()
        for place in reached { told.insert(place) }
        return TypingSignal(
            by: person.author, in: conversation ?? ship, epoch: epoch, key: key,
            replicaEpoch: Array(repeating: replica, count: TypingSignal.replicaEpochByteCount),
            stamp: TypingSignal.Stamp(written: written, counter: counter), reached: told,
            nonce: Array(repeating: UInt8(truncatingIfNeeded: counter), count: ExtendedNonceCipher.nonceByteCount))
    }
}
