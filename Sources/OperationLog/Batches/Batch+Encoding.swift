import Cryptography
import Time

extension Batch {
    /// The bytes of the batch as Protocol.md lays them out.
    ///
    /// - Complexity: O(*n*) in the bytes written.
    public var encoded: [UInt8] {
        var encoder = BatchEncoder(batch: self)
        return encoder.encode()
    }
}

/// Collects what the operations of a batch share, then writes them.
private struct BatchEncoder {
    /// A run of one device's chain, joined to what the receiver holds by the operation before it.
    struct Run {
        var author: Device
        var base: UInt64
        var previous: OperationID?
        var lastIndex: Int
    }

    let batch: Batch
    var runs: [Run] = []
    var runOfOperation: [Int] = []
    var indexOfOperation: [OperationID: Int] = [:]
    var references: [OperationID] = []
    var indexOfReference: [OperationID: Int] = [:]
    var headLists: [[OperationID]] = []
    var headListOfOperation: [Int] = []
    var indexOfHeadList: [[OperationID]: Int] = [:]

    init(batch: Batch) {
        self.batch = batch
    }

    mutating func encode() -> [UInt8] {
        collect()
        var writer = CanonicalWriter(capacity: 1_024 + batch.operations.count * 160)
        writer.write(byte: batch.lane.rawValue)
        writer.write(count: runs.count)
        for run in runs {
            writer.write(run.author.user)
            writer.write(raw: run.author.key.bytes)
            writer.write(number: run.base)
            if let previous = run.previous { writer.write(previous) }
        }
        writer.write(count: references.count)
        for reference in references { writer.write(reference) }
        if batch.lane == .content {
            writer.write(count: headLists.count)
            for heads in headLists { writer.write(ascending: heads) }
        }
        writer.write(count: batch.operations.count)
        var lastTime: Int64 = 0
        for (index, operation) in batch.operations.enumerated() {
            write(operation, at: index, after: lastTime, to: &writer)
            lastTime = operation.header.time.milliseconds
        }
        return writer.bytes
    }

    private mutating func collect() {
        indexOfOperation.reserveCapacity(batch.operations.count)
        for (index, operation) in batch.operations.enumerated() {
            let header = operation.header
            let run: Int
            if let previous = header.previous.flatMap({ indexOfOperation[$0] }),
                runs[runOfOperation[previous]].lastIndex == previous
            {
                run = runOfOperation[previous]
                runs[run].lastIndex = index
            } else {
                run = runs.count
                runs.append(
                    Run(
                        author: operation.author, base: header.sequenceNumber - 1, previous: header.previous,
                        lastIndex: index))
            }
            runOfOperation.append(run)
            for dependency in header.dependencies { collect(reference: dependency) }
            if let epoch = header.epoch { collect(reference: epoch) }
            if batch.lane == .content { headListOfOperation.append(collect(heads: header.membershipHeads)) }
            indexOfOperation[operation.id] = index
        }
    }

    private mutating func collect(reference id: OperationID) {
        guard indexOfOperation[id] == nil, indexOfReference[id] == nil else { return }
        indexOfReference[id] = references.count
        references.append(id)
    }

    private mutating func collect(heads: [OperationID]) -> Int {
        // Nearly always the list of the operation before.
        if let last = headListOfOperation.last, headLists[last] == heads { return last }
        if let known = indexOfHeadList[heads] { return known }
        indexOfHeadList[heads] = headLists.count
        headLists.append(heads)
        return headLists.count - 1
    }

    private func write(
        _ operation: Operation, at index: Int, after lastTime: Int64, to writer: inout CanonicalWriter
    ) {
        let header = operation.header
        let run = runOfOperation[index]
        let signature = batch.lane == .membership || runs[run].lastIndex == index ? operation.signature : nil
        precondition(
            signature != nil || runs[run].lastIndex != index, "the last operation of a chain carries its signature")
        var flags: BatchFlags = []
        if operation.body != nil { flags.insert(.body) }
        if signature != nil { flags.insert(.signature) }
        if header.epoch != nil { flags.insert(.epoch) }
        writer.write(byte: flags.rawValue)
        writer.write(count: run)
        writer.write(number: header.type.rawValue)
        writer.write(difference: header.time.milliseconds - lastTime)
        writer.write(count: header.dependencies.count)
        for dependency in header.dependencies { write(reference: dependency, at: index, to: &writer) }
        if batch.lane == .content { writer.write(count: headListOfOperation[index]) }
        if let epoch = header.epoch { write(reference: epoch, at: index, to: &writer) }
        writer.write(count: header.bodyLength)
        if let body = operation.body {
            writer.write(raw: body)
        } else {
            writer.write(digest: header.bodyDigest)
        }
        if let signature { writer.write(raw: signature.bytes) }
    }

    /// An even reference counts back from the operation that makes it; an odd one names the table.
    private func write(reference id: OperationID, at index: Int, to writer: inout CanonicalWriter) {
        if let target = indexOfOperation[id], target < index {
            writer.write(count: (index - target - 1) * 2)
        } else if let target = indexOfReference[id] {
            writer.write(count: target * 2 + 1)
        } else {
            preconditionFailure("operations of a batch are in causal order")
        }
    }
}
