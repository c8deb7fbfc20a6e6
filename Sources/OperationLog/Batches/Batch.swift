import Cryptography

/// Operations of one lane in causal order, verified whole with one signature per chain.
///
/// Ids are linked by `prev`, so the signature of the last operation of a chain authenticates all before it: one Ed25519
/// check (about 100 µs) per chain and two hashes (about 1 µs each) per operation. What the links imply (device, lane,
/// conversation, sequence number, previous id, body digest) is not sent, and a dependency inside the batch is a
/// reference of a byte or two. A batch is accepted whole or not at all.
public struct Batch: Hashable, Sendable {
    /// The lane all operations are in.
    public let lane: Lane
    /// The operations, each after those of the batch that it depends on.
    public let operations: [Operation]

    /// Joins operations that were verified before.
    ///
    /// - Precondition: the operations are in `lane` in causal order; the last of each chain carries its signature, in
    ///   the membership lane every one.
    public init(lane: Lane, operations: [Operation]) {
        self.lane = lane
        self.operations = operations
    }

    /// The batch without the bodies of some operations.
    public func withoutBodies(where isClosed: (Operation) -> Bool) -> Batch {
        Batch(lane: lane, operations: operations.map { isClosed($0) ? $0.withoutBody : $0 })
    }
}

/// The bits of the first byte of an operation in a batch.
struct BatchFlags: OptionSet {
    let rawValue: UInt8

    /// The body follows; else only its digest.
    static let body = BatchFlags(rawValue: 1)
    /// The operation's own signature follows.
    static let signature = BatchFlags(rawValue: 2)
    /// The body is closed under an epoch, named by a reference.
    static let epoch = BatchFlags(rawValue: 4)

    static let all: BatchFlags = [.body, .signature, .epoch]
}
