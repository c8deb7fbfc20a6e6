import OperationLog
import Storage
import Time

/// What a replica knows of what the devices of one conversation received and their users read.
///
/// The latest record of each device. For this device's own messages also the time at which a record first covered each:
/// a record names only the last operation of a chain, so the earlier times cannot be read from the latest record.
public struct Receipts: Hashable, Sendable {
    /// What a record taken in changed.
    public enum Change: Hashable, Sendable {
        /// Nothing: the one that was here counts.
        case none
        /// Nothing that its reader is told: it is about what others wrote.
        case ofOthers
        /// What this device wrote came further, or was taken back.
        case ofOwn
    }

    /// Whose replica it is.
    public let own: DeviceID
    /// The latest record of each device, with how it came to what it says of ``own``.
    public private(set) var kept: [DeviceID: StoredReceipt] = [:]

    /// Nothing is known yet.
    public init(of own: DeviceID, kept: [StoredReceipt] = []) {
        self.own = own
        for receipt in kept { self.kept[receipt.record.device.id] = receipt }
    }

    /// The latest record of a device.
    public subscript(device: DeviceID) -> ReceiptRecord? { kept[device]?.record }

    /// Takes in a record unless one that supersedes it is here. In which order records come changes no record that is
    /// kept.
    ///
    /// - Parameters:
    ///   - now: by this device's clock. A time of its author's that is later still does not count.
    ///   - written: the last sequence number of ``own``'s chain. Nobody received what comes after it, whatever they
    ///     say. A device that was put back to an earlier state believes that of what it forgot, too, until it has that
    ///     again (``believe(upTo:at:)``).
    @discardableResult
    public mutating func take(_ record: ReceiptRecord, at now: Timestamp, written: UInt64) -> Change {
        let device = record.device.id
        guard let before = kept[device] else {
            kept[device] = StoredReceipt(record: record, about: own, after: nil, at: now, written: written)
            return record.marks[own] == nil ? .ofOthers : .ofOwn
        }
        guard record.supersedes(before.record) else { return .none }
        kept[device] = StoredReceipt(record: record, about: own, after: before, at: now, written: written)
        return record.marks[own] == before.record.marks[own] ? .ofOthers : .ofOwn
    }

    /// Believes what records said of operations of this device that were not here then: put back to an earlier state,
    /// it has them from others.
    ///
    /// - Parameters:
    ///   - written: the last sequence number of ``own``'s chain.
    ///   - now: by this device's clock.
    /// - Returns: whose records are believed more of.
    public mutating func believe(upTo written: UInt64, at now: Timestamp) -> Set<DeviceID> {
        var believed: Set<DeviceID> = []
        for (device, receipt) in kept {
            guard let said = receipt.record.marks[own]?.received,
                min(said, written) > receipt.steps.last?.mark.received ?? 0
            else { continue }
            kept[device] = StoredReceipt(record: receipt.record, about: own, after: receipt, at: now, written: written)
            believed.insert(device)
        }
        return believed
    }

    /// When a device received an operation, as far as is known; nil if it did not.
    public func received(_ operation: Operation, by device: DeviceID) -> Timestamp? {
        time(of: operation, at: device, place: \.received)
    }

    /// When it was read there; nil if it was not, or its user does not say.
    public func read(_ operation: Operation, by device: DeviceID) -> Timestamp? {
        time(of: operation, at: device, place: \.read)
    }

    private func time(
        of operation: Operation, at device: DeviceID, place: (ReceiptRecord.Mark) -> UInt64
    ) -> Timestamp? {
        guard let kept = kept[device] else { return nil }
        let sequenceNumber = operation.header.sequenceNumber
        // Of other devices' chains only the last step is known.
        guard operation.author.id == own else {
            return kept.record.marks[operation.author.id].flatMap {
                place($0) >= sequenceNumber ? kept.record.time : nil
            }
        }
        return kept.steps.first { place($0.mark) >= sequenceNumber }?.time
    }
}
