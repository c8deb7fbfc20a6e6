import Cryptography
import Time

extension Batch {
    /// Reads and verifies a batch of a conversation.
    ///
    /// - Throws: ``MalformedBytes`` for any deviation from the canonical encoding and for any signature that fails:
    ///   then nothing of the batch may be used.
    /// - Complexity: two hashes per operation, one signature check per chain (in the membership lane per operation).
    public init(decoding bytes: [UInt8], of conversation: ConversationID) throws(MalformedBytes) {
        var decoder = BatchDecoder(bytes: bytes, conversation: conversation)
        self = try decoder.decode()
    }
}

/// Rebuilds the headers that a batch implies, hashing as it goes.
///
/// What the operations share is in tables, in the order of first use. Anything else would be a second encoding of the
/// same batch: an entry that is not used, occurs twice or too early, a reference by name to an operation of the batch,
/// a run that goes on where another ends, an operation in two runs.
private struct BatchDecoder {
    struct Run {
        let author: Device
        var sequenceNumber: UInt64
        var previous: OperationID?
        var isSigned: Bool
    }

    let conversation: ConversationID
    var reader: CanonicalReader
    var writer = CanonicalWriter(capacity: 1_024)
    var lane = Lane.content
    var runs: [Run] = []
    var references: [OperationID] = []
    var headLists: [[OperationID]] = []
    var operations: [Operation] = []
    /// Which of the operations others of the batch refer to, and how many that are.
    var isReferenced: [Bool] = []
    var innerReferences = 0
    /// How many entries of each table have been used.
    var usedRuns = 0
    var usedReferences = 0
    var usedHeadLists = 0
    /// Ids that are in the table of references or before a run, none of which may follow in the batch.
    var outside: Set<OperationID> = []
    /// The ids read so far, kept only where several runs are of one device: only they can hold an operation twice.
    var inside: Set<OperationID>?

    init(bytes: [UInt8], conversation: ConversationID) {
        self.conversation = conversation
        reader = CanonicalReader(bytes)
    }

    mutating func decode() throws(MalformedBytes) -> Batch {
        guard let lane = Lane(rawValue: try reader.byte()) else { throw .invalid(field: "lane") }
        self.lane = lane
        try readRuns()
        let referenceCount = try reader.count(
            of: "references", limit: Limits.maximumBatchReferences, each: Digest.byteCount)
        references.reserveCapacity(referenceCount)
        for _ in 0..<referenceCount { references.append(try reader.identifier()) }
        outside = Set(references)
        guard outside.count == references.count else { throw .invalid(field: "references") }
        if lane == .content { try readHeadLists() }
        let count = try reader.count(of: "operations", limit: Limits.maximumBatchOperations, each: 6)
        guard count > 0 else { throw .invalid(field: "operations") }
        operations.reserveCapacity(count)
        var time: Int64 = 0
        for _ in 0..<count { try readOperation(time: &time) }
        try reader.finish()
        guard usedRuns == runs.count else { throw .invalid(field: "chains") }
        guard usedReferences == references.count else { throw .invalid(field: "references") }
        guard usedHeadLists == headLists.count else { throw .invalid(field: "head lists") }
        guard runs.allSatisfy(\.isSigned) else { throw .signature(field: "chain") }
        return Batch(lane: lane, operations: operations)
    }

    private mutating func readRuns() throws(MalformedBytes) {
        let count = try reader.count(of: "chains", limit: Limits.maximumBatchChains, each: 65)
        guard count > 0 else { throw .invalid(field: "chains") }
        for _ in 0..<count {
            let user: UserID = try reader.identifier()
            let author = Device(user: user, key: try reader.verifyingKey(of: "device key"))
            let base = try reader.number()
            guard base < Limits.maximumSequenceNumber else { throw .invalid(field: "sequence number") }
            let previous: OperationID? = base > 0 ? try reader.identifier() : nil
            runs.append(Run(author: author, sequenceNumber: base, previous: previous, isSigned: false))
        }
        if Set(runs.map(\.author.id)).count < count { inside = [] }
    }

    private mutating func readHeadLists() throws(MalformedBytes) {
        let count = try reader.count(of: "head lists", limit: Limits.maximumBatchOperations, each: 1)
        guard count > 0 else { throw .invalid(field: "head lists") }
        headLists.reserveCapacity(count)
        for _ in 0..<count {
            headLists.append(try reader.ascending(of: "membership heads", limit: Limits.maximumDependencies))
        }
        guard Set(headLists).count == count else { throw .invalid(field: "head lists") }
    }

    private mutating func readOperation(time: inout Int64) throws(MalformedBytes) {
        let flags = BatchFlags(rawValue: try reader.byte())
        guard flags.isSubset(of: .all) else { throw .invalid(field: "flags") }
        let run = try readRun()
        let type = OperationType(rawValue: try reader.number())
        let (milliseconds, overflow) = time.addingReportingOverflow(try reader.difference())
        guard !overflow, let claimed = Timestamp(milliseconds: milliseconds) else { throw .invalid(field: "time") }
        time = milliseconds
        let dependencies = try readDependencies()
        var heads: [OperationID] = []
        if lane == .content {
            let list = try reader.count(of: "head list", limit: headLists.count - 1)
            try Self.use(list, of: "head list", next: &usedHeadLists)
            heads = headLists[list]
        }
        guard lane == .content || !flags.contains(.epoch) else { throw .invalid(field: "flags") }
        let epoch: OperationID? = flags.contains(.epoch) ? try readReference() : nil
        let bodyLength = try reader.count(of: "body length", limit: Limits.maximumBodyBytes)
        let body: [UInt8]? = flags.contains(.body) ? try reader.raw(bodyLength) : nil
        let digest: Digest
        if let body { digest = Operation.digest(of: body) } else { digest = try reader.digest() }
        let author = runs[run].author
        let header = OperationHeader(
            type: type, conversation: type == .create ? nil : conversation, lane: lane, device: author.id,
            sequenceNumber: runs[run].sequenceNumber + 1, previous: runs[run].previous, dependencies: dependencies,
            membershipHeads: heads, epoch: epoch, time: claimed, bodyLength: bodyLength, bodyDigest: digest)
        try header.checkShape()
        writer.removeAll()
        header.encode(into: &writer)
        let id = Operation.id(of: writer.bytes)
        guard !outside.contains(id) else { throw .invalid(field: "reference") }
        // Else a reference to one copy and a reference to the other would mean the same.
        if inside?.insert(id).inserted == false { throw .invalid(field: "operations") }
        let signature = try readSignature(of: id, in: run, isPresent: flags.contains(.signature))
        runs[run].sequenceNumber += 1
        runs[run].previous = id
        operations.append(Operation(authentic: header, id: id, author: author, body: body, signature: signature))
        isReferenced.append(false)
    }

    /// Reads which run an operation continues. A run that starts must not follow the end of another: it would be part
    /// of that.
    private mutating func readRun() throws(MalformedBytes) -> Int {
        let run = try reader.count(of: "chain", limit: runs.count - 1)
        let isNew = run == usedRuns
        try Self.use(run, of: "chain", next: &usedRuns)
        if isNew, let previous = runs[run].previous {
            guard !runs[..<run].contains(where: { $0.previous == previous }) else { throw .invalid(field: "chain") }
            if !operations.contains(where: { $0.id == previous }) { outside.insert(previous) }
        }
        return run
    }

    /// Checks that the entries of a table are first used in their order.
    private static func use(_ index: Int, of field: String, next: inout Int) throws(MalformedBytes) {
        guard index <= next else { throw .invalid(field: field) }
        if index == next { next += 1 }
    }

    /// Verifies the signature if there is one. In the content lane only the last operation of a chain may carry one, so
    /// that a batch cannot be made costly to verify.
    private mutating func readSignature(
        of id: OperationID, in run: Int, isPresent: Bool
    ) throws(MalformedBytes) -> Signature? {
        guard isPresent else {
            guard lane == .content, !runs[run].isSigned else { throw .signature(field: "operation") }
            return nil
        }
        guard lane == .membership || !runs[run].isSigned else { throw .invalid(field: "flags") }
        let signature = try reader.signature()
        guard runs[run].author.key.verifies(signature, of: Operation.statement(of: id)) else {
            throw .signature(field: "chain")
        }
        runs[run].isSigned = true
        return signature
    }

    private mutating func readDependencies() throws(MalformedBytes) -> [OperationID] {
        let count = try reader.count(of: "dependencies", limit: Limits.maximumDependencies)
        var dependencies: [OperationID] = []
        dependencies.reserveCapacity(count)
        for _ in 0..<count {
            let next = try readReference()
            if let last = dependencies.last, last >= next { throw .unsorted(field: "dependencies") }
            dependencies.append(next)
        }
        return dependencies
    }

    private mutating func readReference() throws(MalformedBytes) -> OperationID {
        let value = try reader.number()
        let index = value / 2
        if value % 2 == 1 {
            guard index < references.count else { throw .invalid(field: "reference") }
            try Self.use(Int(index), of: "reference", next: &usedReferences)
            return references[Int(index)]
        }
        guard index < operations.count else { throw .invalid(field: "reference") }
        let place = operations.count - 1 - Int(index)
        if !isReferenced[place] {
            isReferenced[place] = true
            innerReferences += 1
            // Whoever passes on a part of the batch needs the table for what is left out: so both count.
            guard references.count + innerReferences <= Limits.maximumBatchReferences else {
                throw .tooLong(field: "references", limit: Limits.maximumBatchReferences)
            }
        }
        return operations[place].id
    }
}
