import Cryptography
import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// Begins to serve a peer what it lacks of a lane.
    ///
    /// - Parameter known: what the peer holds, by device; of a device that is not named it holds nothing.
    /// - Complexity: O(*n*) in the operations the peer lacks, about 0.2 µs each; nothing for a chain it has whole.
    public func serve(
        _ lane: Lane, of conversation: ConversationID, beyond known: [DeviceID: KnownChain]
    ) throws(StoreError) -> ServingCursor {
        guard let number = register[conversation]?.number else {
            return ServingCursor(conversation: conversation, lane: lane, arrivals: [])
        }
        let arrivals = try access { database in
            let frontier = try frontier(of: number, lane: lane, on: database)
            var arrivals: [Int64] = []
            for device in frontier.devices {
                guard let author = register.number(of: device) else { continue }
                let chain = ChainReading(
                    conversation: number, lane: lane, device: author, register: register, database: database)
                switch known[device] ?? .through(0) {
                case .through(let sequenceNumber):
                    guard sequenceNumber < frontier.sequenceNumber(of: device) else { continue }
                    arrivals += try chain.arrivals(after: Int64(sequenceNumber))
                case .branches(let ids):
                    guard Set(ids) != Set(frontier.tips[device]?.map(\.id) ?? []) else { continue }
                    arrivals += try chain.arrivals(beyond: ids)
                }
            }
            return arrivals
        }
        return ServingCursor(conversation: conversation, lane: lane, arrivals: arrivals)
    }

    /// Begins to serve a peer some operations of a membership lane; what is not here is passed over.
    ///
    /// A removed person may ask for their removal proof again and again. So the database is not asked: the numbers of
    /// these rows are in memory.
    ///
    /// - Complexity: O(*n* log *n*) in the operations named, none of it in the database.
    public func serve(membership operations: [OperationID], of conversation: ConversationID) -> ServingCursor {
        ServingCursor(
            conversation: conversation, lane: .membership, arrivals: operations.compactMap(register.number(of:)))
    }

    /// The next batch for a peer, or nil when the cursor has reached its end.
    ///
    /// The operations are in the order of arrival, each run of a chain ends with a signature, and the batch keeps
    /// ``Limits/maximumBatchOperations`` and about ``Limits/targetBatchBytes``.
    ///
    /// - Complexity: O(*n*) in the operations read, about 2 µs each.
    public func nextBatch(_ cursor: inout ServingCursor) throws(StoreError) -> Batch? {
        guard !cursor.stretches.isEmpty else { return nil }
        var assembly = BatchAssembly(lane: cursor.lane)
        var arrivals: [Int64] = []
        try access { database in
            let reading = try StoredOperation(using: register, on: database)
            let select = try Query(
                "SELECT \(StoredOperation.columns) FROM operations WHERE n BETWEEN ?1 AND ?2 ORDER BY n", on: database)
            for stretch in cursor.stretches {
                guard !assembly.isFull else { return }
                try select.bind(stretch.lowerBound, at: 1)
                try select.bind(stretch.upperBound, at: 2)
                var isTaken = true
                try select.forEachRow { row in
                    isTaken = assembly.append(try reading.read(row))
                    if isTaken { arrivals.append(StoredOperation.arrival(in: row)) }
                    return isTaken && !assembly.isFull
                }
                guard isTaken else { return }
            }
        }
        guard let batch = assembly.finish() else { throw .corrupted("a chain ends without a signature") }
        cursor.advance(past: arrivals[batch.operations.count - 1])
        return batch
    }
}

/// Reads where the operations of one chain are in the order of arrival.
private struct ChainReading {
    let conversation: Int64
    let lane: Lane
    let device: Int64
    let register: SurrogateKeys
    let database: Database

    /// The arrivals of everything after a sequence number.
    func arrivals(after sequenceNumber: Int64) throws -> [Int64] {
        let select = try query(of: "n", "AND sequence > ?4")
        try select.bind(sequenceNumber, at: 4)
        return try select.map { $0.number(0) }
    }

    /// The arrivals of everything but some operations and what precedes them. Ids that are not here exclude nothing.
    ///
    /// - Complexity: O(*n*) in the length of the chain: forks are rare.
    func arrivals(beyond ids: [OperationID]) throws -> [Int64] {
        var previous: [OperationID: OperationID] = [:]
        let reading = try StoredOperation(using: register, on: database)
        let entries = try query(of: StoredOperation.columns, "").map { row in
            let id: OperationID = try row.identifier(2)
            previous[id] = try reading.header(in: row).previous
            return (arrival: StoredOperation.arrival(in: row), id: id)
        }
        var known: Set<OperationID> = []
        for id in ids {
            var next: OperationID? = id
            while let id = next, known.insert(id).inserted { next = previous[id] }
        }
        return entries.filter { !known.contains($0.id) }.map(\.arrival)
    }

    private func query(of columns: String, _ condition: String) throws -> Query {
        let select = try Query(
            """
            SELECT \(columns) FROM operations
            WHERE conversation = ?1 AND lane = ?2 AND device = ?3 \(condition) ORDER BY sequence
            """, on: database)
        try select.bind(conversation, at: 1)
        try select.bind(Int64(lane.rawValue), at: 2)
        try select.bind(device, at: 3)
        return select
    }
}
