import Blobs
import Cryptography
import OperationLog

/// A message of a peer, decoded when it came: nothing after that reads its bytes again.
///
/// The batch or the chunk that it carries can be verified before the message reaches the replicator. What was found
/// travels with it.
public struct ReceivedMessage: Sendable {
    /// What became of its bytes.
    public enum Content: Sendable {
        /// They are a message.
        case message(PeerMessage)
        /// Only a later version knows messages of this kind.
        case unknownKind
        /// They are no message.
        case malformed(MalformedBytes)
    }

    /// What was found of what it carries.
    public enum Verified: Sendable {
        /// Its batch.
        case batch(Result<Batch, MalformedBytes>)
        /// Its chunk.
        case chunk(Result<BlobChunk, MalformedBytes>)

        /// What was found of its batch; nil if it carries none.
        var batch: Result<Batch, MalformedBytes>? { if case .batch(let batch) = self { batch } else { nil } }

        /// What was found of its chunk; nil if it carries none.
        package var chunk: Result<BlobChunk, MalformedBytes>? {
            if case .chunk(let chunk) = self { chunk } else { nil }
        }
    }

    /// Its kind; nil for one that only a later version knows.
    let kind: (any MessageKind.Type)?
    /// What it says.
    public let content: Content
    /// Bytes of its encoding.
    public let byteCount: Int
    /// What was found of what it carries, if that was verified already.
    public private(set) var verified: Verified?

    /// Decodes what came.
    public init(decoding bytes: [UInt8]) {
        byteCount = bytes.count
        kind = bytes.first.flatMap(PeerMessage.kind)
        if kind == nil, !bytes.isEmpty {
            content = .unknownKind
            return
        }
        do throws(MalformedBytes) {
            content = .message(try PeerMessage(decoding: bytes))
        } catch {
            content = .malformed(error)
        }
    }

    /// Bytes that it takes in memory besides those that came, as long as its batch is not verified.
    public var weight: Int { if case .message(let message) = content { message.weight } else { 0 } }

    /// The lane of the batch that it carries, and whether its sender calls the batch an answer; nil for every other
    /// message.
    public var batchLane: (slot: PeerMessage.LaneSlot, isAnswer: Bool)? {
        guard case .message(.lane(let slot, .batch(let isAnswer, _, _))) = content else { return nil }
        return (slot, isAnswer)
    }

    /// How many operations it brings, as far as they are verified.
    public var operationCount: Int {
        guard case .batch(.success(let batch)) = verified else { return 1 }
        return batch.operations.count
    }

    /// Whether all operations that it brings are a person's own, as far as they are verified.
    public func isWritten(by user: UserID) -> Bool {
        guard case .batch(.success(let batch)) = verified else { return false }
        return batch.operations.allSatisfy { $0.author.user == user }
    }

    /// The root of the blob whose chunk it carries; nil for every other message.
    public var chunkRoot: Digest? {
        guard case .message(.files(.chunk(let root, _))) = content else { return nil }
        return root
    }

    /// Verifies the batch that it carries, if it carries one, as one of `conversation`.
    public mutating func verifyBatch(of conversation: ConversationID) {
        guard case .message(.lane(let slot, .batch(_, _, let bytes))) = content else { return }
        verified = .batch(
            Result { () throws(MalformedBytes) in try Batch(decoding: bytes, of: conversation, lane: slot.lane) })
    }

    /// Verifies the chunk that it carries, if it carries one, as one of the blob at `address`.
    public mutating func verifyChunk(of address: BlobAddress) {
        guard case .message(.files(.chunk(_, let bytes))) = content else { return }
        verified = .chunk(Result { () throws(MalformedBytes) in try BlobChunk(verifying: bytes, of: address) })
    }
}

extension Batch {
    /// Verifies a batch that must be of one lane.
    ///
    /// - Throws: ``MalformedBytes``; `invalid` if it is of the other lane.
    public init(decoding bytes: [UInt8], of conversation: ConversationID, lane: Lane) throws(MalformedBytes) {
        let batch = try Batch(decoding: bytes, of: conversation)
        guard batch.lane == lane else { throw .invalid(field: "lane") }
        self = batch
    }
}
