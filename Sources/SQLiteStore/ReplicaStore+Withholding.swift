import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// Takes content operations from sight, or shows them again, in one transaction.
    ///
    /// - Returns: which of those to be shown were withheld.
    /// - Complexity: O(*n*) in them, about 20 µs each.
    @discardableResult
    public func withhold(
        _ withheld: [OperationID], showing shown: [OperationID], in conversation: ConversationID
    ) throws(StoreError) -> [OperationID] {
        guard let number = register[conversation]?.number, !withheld.isEmpty || !shown.isEmpty else { return [] }
        let register = register
        var found: [OperationID] = []
        try transaction { database in
            let withholding = try Withholding(in: number, using: register, on: database)
            for id in withheld { try withholding.withhold(id) }
            found = try shown.filter { try withholding.show($0) }
            // Also of what they are about: it may say something else now.
            try TextIndex.forget(withheld + found, on: database)
        }
        return found
    }

    /// The operations of a device that are withheld, in the order of arrival.
    ///
    /// - Complexity: O(*n*) in them, about 5 µs each.
    public func withheld(
        of device: DeviceID, in conversation: ConversationID
    ) throws(StoreError) -> [OperationLog.Operation] {
        guard let number = register[conversation]?.number, let device = register.number(of: device) else { return [] }
        return try access { database in
            let select = try Query(
                """
                SELECT \(StoredOperation.columns) FROM \(StoredOperation.withheld)
                    AND conversation = ?1 AND device = ?2 ORDER BY n
                """, on: database)
            try select.bind(number, at: 1)
            try select.bind(device, at: 2)
            let reading = try StoredOperation(using: register, on: database)
            return try select.map { try reading.read($0) }
        }
    }
}

/// Changes whether single rows are shown, and what is counted of them.
private struct Withholding {
    private struct Row {
        let number: Int64
        let device: Int64
        let availability: Availability
        let isHere: Bool
        let bodyLength: Int
    }

    private let register: SurrogateKeys
    private let conversation: Int64
    private let database: Database
    private let find: Query
    private let update: Query
    private let mark: Query
    private let want: Query
    private let stopWanting: Query
    private let counting: MessageCounting

    init(in conversation: Int64, using register: SurrogateKeys, on database: Database) throws {
        (self.conversation, self.register, self.database) = (conversation, register, database)
        find = try Query(
            """
            SELECT \(StoredOperation.columns), availability FROM \(StoredOperation.byID)
            WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND lane = 1
                AND type NOT BETWEEN 33 AND 35
            """, on: database)
        try find.bind(conversation, at: 2)
        update = try Query("UPDATE operations SET availability = ?2 WHERE n = ?1", on: database)
        mark = try Query("UPDATE annotations SET person = abs(person) * ?2 WHERE n = ?1", on: database)
        want = try Query("INSERT OR IGNORE INTO wanted(conversation, operation) VALUES(?1, ?2)", on: database)
        try want.bind(conversation, at: 1)
        stopWanting = try Query("DELETE FROM wanted WHERE conversation = ?1 AND operation = ?2", on: database)
        try stopWanting.bind(conversation, at: 1)
        counting = try MessageCounting(on: database)
    }

    func withhold(_ id: OperationID) throws {
        guard let row = try row(of: id) else { return }
        switch row.availability {
        case .here:
            try counting.uncount(row.number)
            try set(.withheld, row)
        case .wanted:
            try stopWanting.bind(id, at: 2)
            try stopWanting.run()
            try ReplicaStore.count([row.device: -row.bodyLength], in: conversation, on: database)
            try set(.withheld, row)
        // For what was never counted there may be no room later either.
        case .declined: try set(.expired, row)
        case .unreadable, .deleted, .expired, .withheld: break
        }
    }

    /// Shows an operation again; whether it was withheld.
    func show(_ id: OperationID) throws -> Bool {
        guard let row = try row(of: id), row.availability == .withheld else { return false }
        guard !row.isHere else {
            try set(.here, row)
            try counting.count(row.number)
            return true
        }
        try set(.wanted, row)
        try want.bind(id, at: 2)
        try want.run()
        try ReplicaStore.count([row.device: row.bodyLength], in: conversation, on: database)
        return true
    }

    private func row(of id: OperationID) throws -> Row? {
        try find.bind(id, at: 1)
        let reading = try StoredOperation(using: register, on: database)
        return try find.first { row in
            guard let availability = Availability(rawValue: row.number(StoredOperation.columnCount)) else {
                throw StoreError.corrupted("a row does not say where its body is")
            }
            return Row(
                number: StoredOperation.arrival(in: row), device: row.number(1), availability: availability,
                isHere: !row.isNull(4), bodyLength: try reading.header(in: row).bodyLength)
        }
    }

    private func set(_ availability: Availability, _ row: Row) throws {
        try update.bind(row.number, at: 1)
        try update.bind(availability.rawValue, at: 2)
        try update.run()
        try mark.bind(row.number, at: 1)
        try mark.bind(availability == .withheld ? -1 : 1, at: 2)
        try mark.run()
    }
}
