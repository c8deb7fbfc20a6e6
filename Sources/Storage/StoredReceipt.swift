import OperationLog
import Time

/// A device's record, and when it reached what was written here.
public struct StoredReceipt: Hashable, Sendable {
    /// When a mark moved.
    public struct Step: Hashable, Sendable {
        /// How far it stood from then on.
        public let mark: ReceiptRecord.Mark
        /// When.
        public let time: Timestamp
    }

    /// Steps that are remembered. Of what came before the first of them, its time counts: not later than that.
    public static let maximumSteps = 64

    /// The latest record.
    public let record: ReceiptRecord
    /// How the mark in this device's chain came to where it is, ascending.
    public let steps: [Step]

    package init(
        record: ReceiptRecord, about own: DeviceID, after before: StoredReceipt?, at now: Timestamp, written: UInt64
    ) {
        self.record = record
        let said = record.marks[own] ?? ReceiptRecord.Mark(received: 0, read: 0)
        let mark = ReceiptRecord.Mark(received: min(said.received, written), read: said.read)
        // What was taken back was never said.
        var steps = (before?.steps ?? []).map { step in
            Step(
                mark: ReceiptRecord.Mark(
                    received: min(step.mark.received, mark.received), read: min(step.mark.read, mark.read)),
                time: step.time)
        }
        if mark != steps.last?.mark ?? ReceiptRecord.Mark(received: 0, read: 0) {
            steps.append(Step(mark: mark, time: min(record.time, now)))
        }
        self.steps = Array(steps.suffix(Self.maximumSteps))
    }
}

extension StoredReceipt {
    /// The canonical bytes of ``steps``, in which they are stored on disk.
    public var encodedSteps: [UInt8] {
        var writer = CanonicalWriter(capacity: 1 + steps.count * 20)
        writer.write(count: steps.count)
        for step in steps {
            writer.write(number: step.mark.received)
            writer.write(number: step.mark.received - step.mark.read)
            writer.write(number: UInt64(step.time.milliseconds))
        }
        return writer.bytes
    }

    /// Reads back what was stored.
    public init(record: ReceiptRecord, steps bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        var steps: [Step] = []
        for _ in 0..<(try reader.count(of: "steps", limit: Self.maximumSteps, each: 3)) {
            let received = try reader.number()
            let unread = try reader.number()
            guard unread <= received else { throw .invalid(field: "unread") }
            guard let milliseconds = Int64(exactly: try reader.number()),
                let time = Timestamp(milliseconds: milliseconds)
            else { throw .invalid(field: "time") }
            steps.append(Step(mark: ReceiptRecord.Mark(received: received, read: received - unread), time: time))
        }
        try reader.finish()
        self.record = record
        self.steps = steps
    }
}
