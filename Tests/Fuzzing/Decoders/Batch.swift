import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Decoder {
    /// A batch of the membership lane, through admission to the rules.
    static let membershipBatch = Decoder("membership-batch") { try check(batch: $0, of: .membership) }

    /// A batch of the content lane, through admission.
    static let contentBatch = Decoder("content-batch") { try check(batch: $0, of: .content) }

    /// What the fuzzer made of a batch is tried with valid signatures too: the harness signs again for Alice and Bob.
    private static func check(batch bytes: [UInt8], of lane: Lane) throws -> Outcome {
        let resigned = BatchSigner.resigned(bytes)
        if resigned != bytes { _ = try check(signed: resigned, of: lane) }
        return try check(signed: bytes, of: lane)
    }

    private static func check(signed bytes: [UInt8], of lane: Lane) throws -> Outcome {
        if let first = bytes.first, let other = Lane(rawValue: first), other != lane { return .refused("other_lane") }
        return try Outcome.of { () throws(MalformedBytes) in
            try Batch(decoding: bytes, of: Cast.conversation)
        } then: { batch in
            try promise("a batch has one encoding", batch.encoded == bytes)
            try promise("an operation follows its parents", isInCausalOrder(batch))
            var empty = Cast.emptyLog
            try admit(batch, to: &empty)
            var begun = Stage.ready.log
            try admit(batch, to: &begun)
        }
    }

    private static func isInCausalOrder(_ batch: Batch) -> Bool {
        var later = Set(batch.operations.map(\.id))
        guard later.count == batch.operations.count else { return false }
        return batch.operations.allSatisfy { operation in
            later.isDisjoint(with: operation.header.parents) && later.remove(operation.id) != nil
        }
    }

    private static func admit(_ batch: Batch, to log: inout ConversationLog) throws {
        let before = log.frontier(of: batch.lane)
        let index = MemoryIndex()
        let wasEmpty = log.membership.operations.isEmpty
        switch try log.admit(batch, using: index) {
        case .admitted(let admitted):
            if batch.lane == .content { index.insert(admitted) }
            try promise("nothing is admitted twice", try log.admit(batch, using: index) == .duplicate)
            guard batch.lane == .membership else { return }
            var group = wasEmpty ? Group(conversation: Cast.conversation, root: .group) : Stage.ready.group
            group.insert(admitted.map(\.operation))
            try promise("every operation has its place in the history", group.history.count >= admitted.count)
        case .pending(let missing):
            try promise("what waits knows for what", !missing.isEmpty)
            try promise("a log takes nothing of a batch that waits", log.frontier(of: batch.lane) == before)
        case .duplicate, .inadmissible:
            try promise("a log takes nothing of an ignored batch", log.frontier(of: batch.lane) == before)
        }
    }
}
