import OperationLog
import Replication
import Time

/// Received batches that wait for operations this replica does not hold yet.
///
/// Bounded by device, by peer and in all; what does not fit is dropped and asked for again. A batch is here at most
/// ``lifetime``.
public struct PendingBatches {
    /// Batches that may wait of one device.
    package static let maximumBatchesPerDevice = 64
    /// Bytes that may wait of one device.
    package static let maximumBytesPerDevice = 256 * 1024
    /// Bytes that may wait from one peer.
    package static let maximumBytesPerPeer = 1024 * 1024
    /// Bytes that may wait in all.
    package static let bytes = 16 * 1024 * 1024
    /// How long a batch may wait.
    package static let lifetime: Duration = .seconds(30)

    /// One waiting batch.
    package struct Entry {
        package let conversation: ConversationID
        package let batch: Batch
        package let peer: PeerHandle
        package let since: Instant
        package let footprint: Int
        var missing: Set<OperationID>
    }

    package private(set) var entries: [Entry] = []

    /// Whether nothing waits.
    var isEmpty: Bool { entries.isEmpty }

    /// How many operations of a conversation wait.
    public func count(of conversation: ConversationID) -> Int {
        entries.reduce(0) { $0 + ($1.conversation == conversation ? $1.batch.operations.count : 0) }
    }

    /// Lets a batch wait; false if there is no room for it.
    mutating func insert(
        _ batch: Batch, of conversation: ConversationID, from peer: PeerHandle, missing: Set<OperationID>,
        at now: Instant
    ) -> Bool {
        let isWaiting = entries.contains {
            $0.conversation == conversation && $0.batch.operations.map(\.id) == batch.operations.map(\.id)
        }
        if isWaiting { return true }
        let footprint = batch.operations.reduce(0) { $0 + $1.footprint }
        let devices = Set(batch.operations.map(\.author.id))
        var total = footprint
        var ofPeer = footprint
        // A device of which nothing waits yet has no more room than any other.
        var ofDevice = devices.reduce(into: [DeviceID: (batches: Int, bytes: Int)]()) { $0[$1] = (0, 0) }
        for entry in entries {
            total += entry.footprint
            if entry.peer == peer { ofPeer += entry.footprint }
            for device in devices where entry.batch.operations.contains(where: { $0.author.id == device }) {
                ofDevice[device, default: (0, 0)].batches += 1
                ofDevice[device, default: (0, 0)].bytes += entry.footprint
            }
        }
        let devicesFit = ofDevice.values.allSatisfy { room in
            room.batches < Self.maximumBatchesPerDevice && room.bytes + footprint <= Self.maximumBytesPerDevice
        }
        guard total <= Self.bytes, ofPeer <= Self.maximumBytesPerPeer, devicesFit else { return false }
        entries.append(
            Entry(
                conversation: conversation, batch: batch, peer: peer, since: now, footprint: footprint, missing: missing
            ))
        return true
    }

    /// Takes out the batches that an admission may have completed, in the order they came.
    mutating func release(in conversation: ConversationID, admitted: Set<OperationID>) -> [Entry] {
        var released: [Entry] = []
        entries.removeAll { entry in
            guard entry.conversation == conversation, !entry.missing.isDisjoint(with: admitted) else { return false }
            released.append(entry)
            return true
        }
        return released
    }

    /// Drops what has waited too long.
    mutating func expire(at now: Instant) {
        entries.removeAll { now - $0.since > Self.lifetime }
    }
}
