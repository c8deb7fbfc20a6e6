import Cryptography
import GRDB
import OperationLog

extension ReplicaStore {
    /// Makes what several lanes gained durable, in one transaction.
    ///
    /// - Parameters:
    ///   - changes: the lanes, a membership lane before the content that names its operations.
    ///   - time: when the operations came in, by this node's clock.
    /// - Throws: ``StoreError``; then nothing is stored.
    /// - Complexity: about 3 µs an operation and one flush of the disk for all.
    public func commit(_ changes: [LaneCommit], receivedAt time: Timestamp) throws(StoreError) {
        var register = register
        try transaction { database in
            for change in changes {
                let conversation = try register.open(change.conversation, root: change.root, at: time, on: database)
                var insertion = try OperationInsertion(
                    into: conversation.number, lane: change.lane, receivedAt: time, on: database)
                for admitted in change.operations {
                    let device = try register.number(of: admitted.operation.author, on: database)
                    try insertion.insert(admitted, of: device)
                }
                try insertion.finish()
                if change.lane == .content {
                    try Self.store(heads: change.contentHeads, of: conversation.number, on: database)
                }
            }
        }
        self.register = register
    }

    private static func store(heads: [OperationID], of conversation: Int64, on database: Database) throws {
        var writer = CanonicalWriter(capacity: heads.count * Digest.byteCount)
        for head in heads { writer.write(head) }
        let update = try Query("UPDATE conversations SET heads = ?1 WHERE n = ?2", on: database)
        update.bind(writer.bytes, at: 1)
        update.bind(conversation, at: 2)
        try update.run()
    }
}

/// Inserts the operations of one lane and moves the tips of its chains.
private struct OperationInsertion {
    private struct Tip {
        let device: Int64
        let sequenceNumber: UInt64
    }

    private let insert: Query
    private let insertTip: Query
    private let deleteTip: Query
    private var stored = StoredHeader()
    /// The ends of chains that the operations made, and the ones that they took from the table.
    private var made: [OperationID: Tip] = [:]
    /// The end of the run that is being inserted; runs are long, so it is looked up only where one breaks off.
    private var end: (id: OperationID, tip: Tip)?
    private var taken: [OperationID: Tip] = [:]

    init(into conversation: Int64, lane: Lane, receivedAt time: Timestamp, on database: Database) throws {
        insert = try Query(
            """
            INSERT INTO operations(
                conversation, lane, device, sequence, type, effective_time, received_at, id, header, body, signature)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """, on: database)
        insertTip = try Query(
            "INSERT INTO tips(conversation, lane, device, sequence, id) VALUES(?1, ?2, ?3, ?4, ?5)", on: database)
        deleteTip = try Query(
            """
            DELETE FROM tips
            WHERE conversation = ?1 AND lane = ?2 AND device = ?3 AND sequence = ?4 AND id = ?5
            """, on: database)
        for query in [insert, insertTip, deleteTip] {
            query.bind(conversation, at: 1)
            query.bind(Int64(lane.rawValue), at: 2)
        }
        insert.bind(time.milliseconds, at: 7)
    }

    mutating func insert(_ admitted: AdmittedOperation, of device: Int64) throws {
        let operation = admitted.operation
        let header = operation.header
        insert.bind(device, at: 3)
        insert.bind(Int64(header.sequenceNumber), at: 4)
        insert.bind(Int64(bitPattern: header.type.rawValue), at: 5)
        insert.bind(admitted.effectiveTime, at: 6)
        try operation.id.digest.withUnsafeBytes { id in
            try stored.withRest(of: header) { rest in
                insert.bind(borrowing: id, at: 8)
                insert.bind(borrowing: rest, at: 9)
                insert.bind(operation.signature?.bytes, at: 11)
                guard let body = operation.body else {
                    insert.bindNull(at: 10)
                    return try insert.run()
                }
                try body.withUnsafeBytes {
                    insert.bind(borrowing: $0, at: 10)
                    try insert.run()
                }
            }
        }
        move(to: operation.id, Tip(device: device, sequenceNumber: header.sequenceNumber), after: header.previous)
    }

    private mutating func move(to id: OperationID, _ tip: Tip, after previous: OperationID?) {
        if let (end, endTip) = end, end != previous { made[end] = endTip }
        if let previous, end?.id != previous, made.removeValue(forKey: previous) == nil {
            taken[previous] = Tip(device: tip.device, sequenceNumber: tip.sequenceNumber - 1)
        }
        end = (id, tip)
    }

    /// Writes the tips that moved: what the operations follow is no tip any more, what nothing follows is one.
    mutating func finish() throws {
        if let end { made[end.id] = end.tip }
        try write(taken, with: deleteTip)
        try write(made, with: insertTip)
    }

    private func write(_ tips: [OperationID: Tip], with query: Query) throws {
        for (id, tip) in tips.sorted(by: { $0.key < $1.key }) {
            query.bind(tip.device, at: 3)
            query.bind(Int64(tip.sequenceNumber), at: 4)
            query.bind(id, at: 5)
            try query.run()
        }
    }
}
