import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// Makes what several lanes gained durable, in one transaction.
    ///
    /// - Parameters:
    ///   - changes: the lanes, a membership lane before the content that names its operations.
    ///   - time: when the operations came in, by this node's clock.
    ///   - request: what a client calls the request that they answer; nil for none.
    /// - Precondition: the last operation of each chain of a change is signed, in the membership lane every one.
    /// - Throws: ``StoreError``; then nothing is stored.
    /// - Complexity: about 3 µs an operation and one flush of the disk for all.
    public func commit(
        _ changes: [LaneCommit], receivedAt time: Timestamp, answering request: ClientRequest?
    ) throws(StoreError) {
        var register = register
        var numbers: RowNumbers?
        try transaction { database in
            var known = try RowNumbers(recent, on: database)
            var rows: ClosedRange<Int64>?
            for change in changes {
                let conversation = try register.open(change.conversation, root: change.root, at: time, on: database)
                var insertion = try OperationInsertion(
                    into: conversation.number, lane: change.lane, receivedAt: time, on: database)
                for admitted in change.operations {
                    let device = try register.number(of: admitted.operation.author, on: database)
                    let place = try insertion.insert(
                        admitted, of: device, availability: change.encryption.availability(of: admitted),
                        leading: change.encryption.links[admitted.operation.id], using: register, rows: &known)
                    rows = (rows?.lowerBound ?? place)...place
                    let operation = admitted.operation
                    if SurrogateKeys.numbers(operation.header) { register.add(operation.id, as: place) }
                }
                try insertion.finish()
                try Self.store(change.encryption, of: conversation.number, on: database)
                try TextIndex.forget(change.encryption.links.targets(of: change.operations), on: database)
                if change.lane == .content {
                    try Self.moveHeads(of: change, in: conversation.number, on: database)
                    try Self.erase(
                        change.encryption.takenBack.sorted(), of: conversation.number, on: database, using: register)
                }
            }
            if let request, let rows { try Self.store(request, made: rows, at: time, on: database) }
            numbers = known
        }
        self.register = register
        numbers?.keep()
        clearLog(isDue: changes.contains { !$0.encryption.takenBack.isEmpty })
    }

    private static func moveHeads(of change: LaneCommit, in conversation: Int64, on database: Database) throws {
        for (statement, ids) in [
            ("DELETE FROM heads WHERE conversation = ?1 AND id = ?2", change.followed),
            ("INSERT INTO heads(conversation, id) VALUES(?1, ?2)", change.newHeads),
        ] {
            let move = try Query(statement, on: database)
            try move.bind(conversation, at: 1)
            for id in ids {
                try move.bind(id, at: 2)
                try move.run()
            }
        }
    }
}

/// Inserts the operations of one lane and moves the tips of its chains.
private struct OperationInsertion {
    private struct Tip {
        let id: OperationID
        let device: Int64
        let sequenceNumber: UInt64
    }

    private struct End {
        let tip: Tip
        let isSigned: Bool
    }

    private let insert: Query
    private let insertTip: Query
    private let deleteTip: Query
    private let insertAnnotation: Query
    private let conversation: Int64
    private let database: Database
    private var stored = StoredHeader()
    /// Bytes of the closed bodies that came or are wanted, by device.
    private var bodyBytes: [Int64: Int] = [:]
    private var messages = MessageTally()
    /// The ends of chains that the operations made, several of a device where it forked its chain.
    private var made: [Int64: [End]] = [:]
    /// The ends that they took from the table.
    private var taken: [Tip] = []

    init(into conversation: Int64, lane: Lane, receivedAt time: Timestamp, on database: Database) throws {
        (self.conversation, self.database) = (conversation, database)
        insert = try Query(
            """
            INSERT INTO operations(
                conversation, lane, device, sequence, type, effective_time, received_at, id, header, body, signature,
                availability, epoch)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """, on: database)
        insertTip = try Query(
            "INSERT INTO tips(conversation, lane, device, sequence, id) VALUES(?1, ?2, ?3, ?4, ?5)", on: database)
        deleteTip = try Query(
            """
            DELETE FROM tips
            WHERE conversation = ?1 AND lane = ?2 AND device = ?3 AND sequence = ?4 AND id = ?5
            """, on: database)
        insertAnnotation = try Query(
            """
            INSERT INTO annotations(n, conversation, target, person, type, time, branch)
            VALUES(last_insert_rowid(), ?1, ?2, ?3, ?4, ?5, substr(?6, 1, 8))
            """, on: database)
        try insertAnnotation.bind(conversation, at: 1)
        for query in [insert, insertTip, deleteTip] {
            try query.bind(conversation, at: 1)
            try query.bind(Int64(lane.rawValue), at: 2)
        }
        try insert.bind(time.milliseconds, at: 7)
    }

    /// Inserts an operation and returns its place in the order of arrival.
    mutating func insert(
        _ admitted: AdmittedOperation, of device: Int64, availability: Availability, leading link: AnnotationLink?,
        using register: SurrogateKeys, rows: inout RowNumbers
    ) throws -> Int64 {
        let operation = admitted.operation
        let header = operation.header
        try insert.bind(device, at: 3)
        try insert.bind(Int64(header.sequenceNumber), at: 4)
        try insert.bind(Int64(bitPattern: header.type.rawValue), at: 5)
        try insert.bind(admitted.hybridTime, at: 6)
        try insert.bind(availability.rawValue, at: 12)
        if let epoch = header.epoch.flatMap(register.number) {
            try insert.bind(epoch, at: 13)
        } else {
            try insert.bindNull(at: 13)
        }
        try operation.id.digest.withUnsafeBytes { id in
            try stored.withBytes(of: operation, at: admitted.hybridTime, using: register, rows: rows) { bytes in
                try insert.bind(borrowing: id, at: 8)
                try insert.bind(borrowing: bytes, at: 9)
                try insert.bind(operation.signature?.bytes, at: 11)
                guard let body = operation.body else {
                    try insert.bindNull(at: 10)
                    return try insert.run()
                }
                try body.withUnsafeBytes {
                    try insert.bind(borrowing: $0, at: 10)
                    try insert.run()
                }
            }
        }
        let place = insert.lastInsertedRow
        rows.add(operation.id, as: place)
        let takesRoom = [.here, .wanted].contains(availability) || availability == .withheld && operation.body != nil
        if header.lane == .content, header.type.isClosed, takesRoom {
            bodyBytes[device, default: 0] += header.bodyLength
        }
        if header.type == .message, availability == .here {
            messages.add(at: admitted.hybridTime, by: device)
        }
        if header.lane == .content, header.type.isAnnotation, operation.body != nil {
            try insertAnnotation.bind(link, at: 2)
            let person = register.number(ofOwner: operation.author)
            try insertAnnotation.bind(availability == .withheld ? -person : person, at: 3)
            try insertAnnotation.bind(Int64(bitPattern: header.type.rawValue), at: 4)
            try insertAnnotation.bind(admitted.hybridTime, at: 5)
            try insertAnnotation.bind(operation.id, at: 6)
            try insertAnnotation.run()
        }
        let end = End(
            tip: Tip(id: operation.id, device: device, sequenceNumber: header.sequenceNumber),
            isSigned: operation.signature != nil)
        precondition(end.isSigned || header.lane == .content, "membership operations carry their own signature")
        let replaces = Self.append(end, after: header.previous, to: &made[device, default: []])
        if let previous = header.previous, !replaces {
            taken.append(Tip(id: previous, device: device, sequenceNumber: header.sequenceNumber - 1))
        }
        return place
    }

    /// Puts an end in the place of the one it follows, or next to the others; whether it replaced one.
    private static func append(_ end: End, after previous: OperationID?, to ends: inout [End]) -> Bool {
        guard let previous, let place = ends.firstIndex(where: { $0.tip.id == previous }) else {
            ends.append(end)
            return false
        }
        ends[place] = end
        return true
    }

    /// Writes the tips that moved: what the operations follow is no tip any more, what nothing follows is one.
    func finish() throws {
        let ends = made.values.joined()
        precondition(ends.allSatisfy(\.isSigned), "a commit signs the last operation of each chain")
        try write(taken, with: deleteTip)
        try write(ends.map(\.tip), with: insertTip)
        try ReplicaStore.count(bodyBytes, in: conversation, on: database)
        try messages.store(in: conversation, on: database)
    }

    private func write(_ tips: [Tip], with query: Query) throws {
        for tip in tips.sorted(by: { $0.id < $1.id }) {
            try query.bind(tip.device, at: 3)
            try query.bind(Int64(tip.sequenceNumber), at: 4)
            try query.bind(tip.id, at: 5)
            try query.run()
        }
    }
}
