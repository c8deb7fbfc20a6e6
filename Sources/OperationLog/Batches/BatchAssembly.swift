/// Puts operations together until a batch is full, and knows where it may end.
///
/// A batch may end where every run of a chain in it ends with a signature. Inside a commit signatures are rare, so the assembly
/// goes on past a full batch only if it has no such place yet.
public struct BatchAssembly {
    private let lane: Lane
    /// What was put together so far.
    public private(set) var operations: [Operation] = []
    /// How many of the operations end in signatures everywhere.
    private(set) var signedCount = 0
    private var bytes = 0
    /// At least as many as the batch needs: a dependency inside it that has a successor counts, too.
    private var references = 0
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
            && (operations.count >= Limits.batchOperations || bytes >= Limits.batchBytes)
    }

    /// Takes an operation, unless the batch would grow beyond its limits and has a place to end before it.
    public mutating func append(_ operation: Operation) -> Bool {
        let header = operation.header
        let continues = header.previous.flatMap { ends[$0] }
        let cost = header.bodyLength + 24 + (continues == nil ? 160 : 0) + (lane == .membership ? 64 : 0)
        let isBeyond =
            operations.count >= Limits.batchOperations || bytes + cost > Limits.batchBytes
            || references + header.dependencies.count + 1 > Limits.batchReferences
            || (continues == nil && runs >= Limits.batchChains)
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
        references += header.dependencies.count(where: { ends[$0] == nil }) + (header.epoch == nil ? 0 : 1)
        if unsignedEnds == 0 { signedCount = operations.count }
        return true
    }

    /// The batch up to the last place where it may end.
    public func finish() -> Batch? {
        guard signedCount > 0 else { return nil }
        let isWhole = signedCount == operations.count
        return Batch(lane: lane, operations: isWhole ? operations : Array(operations.prefix(signedCount)))
    }
}
