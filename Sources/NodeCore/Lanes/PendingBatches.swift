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
    /// Bytes that may wait in all, and of them those of strangers.
    package static let (bytes, bytesOfStrangers) = (16 * 1024 * 1024, 8 * 1024 * 1024)
    /// How long a batch may wait.
    package static let lifetime: Duration = .seconds(30)

    /// One waiting batch.
    package struct Entry {
        package let conversation: ConversationID
        package let batch: Batch
        package let peer: PeerHandle
        let delivery: Replicator.Delivery
        package let since: Instant
        package let footprint: Int
        /// Whether a stranger sent it.
        let isStranger: Bool
        /// What it lacked when it came.
        let missing: Set<OperationID>
        /// What it lacks still.
        var open: Set<OperationID>

        /// Who wrote it.
        var devices: Set<DeviceID> { Set(batch.operations.map(\.author.id)) }
        /// Who sent it, and of which lane it is.
        var source: Source { Source(peer: peer, conversation: conversation, lane: batch.lane) }
    }

    /// What waits of somebody: how many batches, and their bytes.
    private struct Room: Hashable {
        var (batches, bytes) = (0, 0)

        static func + (room: Room, bytes: Int) -> Room { Room(batches: room.batches + 1, bytes: room.bytes + bytes) }
        static func - (room: Room, bytes: Int) -> Room { Room(batches: room.batches - 1, bytes: room.bytes - bytes) }
    }

    /// An operation of a conversation that has not come.
    private struct Missing: Hashable {
        let conversation: ConversationID
        let operation: OperationID
    }

    /// Who sent something of a lane.
    struct Source: Hashable, Comparable {
        let peer: PeerHandle
        let conversation: ConversationID
        let lane: Lane

        static func < (left: Source, right: Source) -> Bool {
            (left.peer, left.conversation, left.lane) < (right.peer, right.conversation, right.lane)
        }
    }

    /// What tells waiting batches apart.
    private struct Name: Hashable {
        let conversation: ConversationID
        let operations: [OperationID]
    }

    /// What waits, by the number with which it came.
    private var numbered: [Int: Entry] = [:]
    /// The numbers that were given, from that of the oldest on: nothing waits under a smaller one, or a greater.
    private var numbers = 0..<0
    private var names: Set<Name> = []
    /// What waits for an operation.
    private var waiting: [Missing: Set<Int>] = [:]
    private var (ofPeers, ofDevices): ([PeerHandle: Room], [DeviceID: Room]) = ([:], [:])
    private var operations: [ConversationID: Int] = [:]
    /// How many batches wait of each.
    private var ofSources: [Source: Int] = [:]
    private var (total, ofStrangers) = (0, 0)

    /// What waits, in the order it came.
    ///
    /// - Complexity: O(*n* log *n*) in what waits.
    package var entries: [Entry] { numbered.sorted { $0.key < $1.key }.map(\.value) }

    /// Whether nothing waits.
    var isEmpty: Bool { numbered.isEmpty }

    /// When the oldest is dropped.
    var nextDeadline: Instant? { numbers.first.flatMap { numbered[$0] }.map { $0.since + Self.lifetime } }

    /// How many operations of a conversation wait.
    public func count(of conversation: ConversationID) -> Int { operations[conversation] ?? 0 }

    /// Whether anything of a lane waits that a peer sent.
    func holds(_ source: Source) -> Bool { ofSources[source] != nil }

    /// Lets a batch wait; false if there is no room for it.
    ///
    /// - Complexity: O(*n*) in the operations of the batch and what it lacks, whatever else waits.
    mutating func insert(
        _ batch: Batch, of conversation: ConversationID, from peer: PeerHandle, _ delivery: Replicator.Delivery,
        missing: Set<OperationID>, isStranger: Bool, at now: Instant
    ) -> Bool {
        let name = Name(conversation: conversation, operations: batch.operations.map(\.id))
        if names.contains(name) { return true }
        let entry = Entry(
            conversation: conversation, batch: batch, peer: peer, delivery: delivery, since: now,
            footprint: batch.operations.reduce(0) { $0 + $1.footprint }, isStranger: isStranger, missing: missing,
            open: missing)
        guard fits(entry) else { return false }
        names.insert(name)
        let number = numbers.upperBound
        numbers = numbers.lowerBound..<number + 1
        numbered[number] = entry
        for id in missing { waiting[Missing(conversation: conversation, operation: id), default: []].insert(number) }
        operations[conversation, default: 0] += batch.operations.count
        total += entry.footprint
        if isStranger { ofStrangers += entry.footprint }
        ofPeers[peer] = (ofPeers[peer] ?? Room()) + entry.footprint
        ofSources[entry.source, default: 0] += 1
        for device in entry.devices { ofDevices[device] = (ofDevices[device] ?? Room()) + entry.footprint }
        return true
    }

    private func fits(_ entry: Entry) -> Bool {
        total + entry.footprint <= Self.bytes
            && (!entry.isStranger || ofStrangers + entry.footprint <= Self.bytesOfStrangers)
            && (ofPeers[entry.peer]?.bytes ?? 0) + entry.footprint <= Self.maximumBytesPerPeer
            && entry.devices.allSatisfy { device in
                let room = ofDevices[device] ?? Room()
                return room.batches < Self.maximumBatchesPerDevice
                    && room.bytes + entry.footprint <= Self.maximumBytesPerDevice
            }
    }

    /// Takes out the batches of which an admission was the last that they lacked, in the order they came: each is
    /// judged again once.
    ///
    /// - Complexity: O(*n*) in what was admitted and what waits for that, whatever else waits.
    mutating func release(in conversation: ConversationID, admitted: Set<OperationID>) -> [Entry] {
        var completed: [Int] = []
        for id in admitted {
            for number in waiting.removeValue(forKey: Missing(conversation: conversation, operation: id)) ?? [] {
                numbered[number]?.open.remove(id)
                if numbered[number]?.open.isEmpty == true { completed.append(number) }
            }
        }
        return completed.sorted().compactMap { remove($0) }
    }

    /// Drops what has waited too long.
    mutating func expire(at now: Instant) {
        while let number = numbers.first, let entry = numbered[number] {
            guard now - entry.since >= Self.lifetime else { return }
            remove(number)
        }
    }

    @discardableResult
    private mutating func remove(_ number: Int) -> Entry? {
        guard let entry = numbered.removeValue(forKey: number) else { return nil }
        while let first = numbers.first, numbered[first] == nil { numbers = first + 1..<numbers.upperBound }
        let conversation = entry.conversation
        names.remove(Name(conversation: conversation, operations: entry.batch.operations.map(\.id)))
        for id in entry.open {
            let place = Missing(conversation: conversation, operation: id)
            waiting[place]?.remove(number)
            if waiting[place]?.isEmpty == true { waiting[place] = nil }
        }
        operations[conversation, default: 0] -= entry.batch.operations.count
        if operations[conversation] == 0 { operations[conversation] = nil }
        total -= entry.footprint
        if entry.isStranger { ofStrangers -= entry.footprint }
        ofPeers[entry.peer] = (ofPeers[entry.peer] ?? Room()) - entry.footprint
        if ofPeers[entry.peer] == Room() { ofPeers[entry.peer] = nil }
        ofSources[entry.source, default: 0] -= 1
        if ofSources[entry.source] == 0 { ofSources[entry.source] = nil }
        for device in entry.devices {
            ofDevices[device] = (ofDevices[device] ?? Room()) - entry.footprint
            if ofDevices[device] == Room() { ofDevices[device] = nil }
        }
        return entry
    }
}
