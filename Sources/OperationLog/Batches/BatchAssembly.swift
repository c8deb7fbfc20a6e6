import Cryptography

/// Puts operations together until a batch is full, and knows where it may end.
///
/// A batch may end where every run of a chain in it ends with a signature. Inside a commit signatures are rare, so the
/// assembly A run without an inner signature still fits a message: it arrived in one batch, so it keeps all limits on
/// operations, chains and references. Bodies beyond ``Limits/targetBatchBytes`` are left out, and readers ask for them
/// separately.
public struct BatchAssembly {
    private let lane: Lane
    /// What was put together so far.
    public private(set) var operations: [Operation] = []
    /// How many of the operations end in signatures everywhere.
    private(set) var signedCount = 0
    private var bytes = 0
    /// At least as many operations as are referred to outside, and inside: which of the two one is, depends on what the
    /// next receiver lacks, so both count. Counted without looking at what is the same, which would cost more than
    /// reading the operations.
    private var references = (outer: 0, inner: 0)
    private var lastEpoch: OperationID?
    private var runs = 0
    /// The last operations of the runs, and whether each is signed.
    private var ends: [OperationID: Bool] = [:]
    private var unsignedEnds = 0

    /// Begins an empty batch.
    public init(lane: Lane) {
        self.lane = lane
    }

    /// Whether nothing more should be added.
    public var isFull: Bool {
        signedCount == operations.count
            && (operations.count >= Limits.maximumBatchOperations || bytes >= Limits.targetBatchBytes)
    }

    /// Takes an operation, unless the batch would grow beyond its limits and has a place to end before it.
    public mutating func append(_ operation: Operation) -> Bool {
        let header = operation.header
        let continues = header.previous.flatMap { ends[$0] }
        let cost =
            (operation.body?.count ?? Digest.byteCount) + 24 + (continues == nil ? 160 : 0)
            + (lane == .membership ? Signature.byteCount : 0)
        let news = header.dependencies.count + (header.epoch == lastEpoch ? 0 : 1)
        let isBeyond =
            operations.count >= Limits.maximumBatchOperations || bytes + cost > Limits.targetBatchBytes
            || references.outer + min(references.inner, operations.count) + news > Limits.maximumBatchReferences
            || (continues == nil && runs >= Limits.maximumBatchChains)
        guard !isBeyond || signedCount == 0 else { return false }
        if let previous = header.previous, let isSigned = continues {
            ends[previous] = nil
            if !isSigned { unsignedEnds -= 1 }
        } else {
            runs += 1
        }
        let isSigned = operation.signature != nil
        ends[operation.id] = isSigned
        if !isSigned { unsignedEnds += 1 }
        operations.append(operation)
        bytes += cost
        let inner = header.dependencies.count { ends[$0] != nil }
        references.inner += inner
        references.outer += news - inner
        lastEpoch = header.epoch
        if unsignedEnds == 0 { signedCount = operations.count }
        return true
    }

    /// The batch up to the last place where it may end.
    public func finish() -> Batch? {
        guard signedCount > 0 else { return nil }
        let isWhole = signedCount == operations.count
        let batch = Batch(lane: lane, operations: isWhole ? operations : Array(operations.prefix(signedCount)))
        return bytes > Limits.targetBatchBytes && lane == .content
            ? batch.withBodies(upTo: Limits.targetBatchBytes) : batch
    }
}

extension Batch {
    /// The batch with the bodies that so many bytes hold, the first ones first.
    fileprivate func withBodies(upTo limit: Int) -> Batch {
        var room = limit
        return withoutBodies { operation in
            guard let body = operation.body, body.count <= room else { return true }
            room -= body.count
            return false
        }
    }

    /// Takes the first of some operations as a batch; nil when there is none left.
    ///
    /// - Parameter operations: in causal order, the last of each chain signed. What the batch holds is taken out.
    public static func next(of operations: inout ArraySlice<Operation>, in lane: Lane) -> Batch? {
        var assembly = BatchAssembly(lane: lane)
        for operation in operations {
            guard !assembly.isFull, assembly.append(operation) else { break }
        }
        guard let batch = assembly.finish() else { return nil }
        operations = operations.dropFirst(batch.operations.count)
        return batch
    }
}
