import GRDB
import OperationLog
import Storage

/// The rows of the operations that were stored last, which is what the next ones follow.
///
/// It is told of a transaction once that is durable. What it forgot is found in the index of ids.
final class RecentRows {
    /// How many are remembered, which takes 64 KiB.
    static let capacity = 512

    private var numbers: [OperationID: Int64] = [:]
    /// The ids from the oldest at `next` on, around the end to the newest.
    private var ids: [OperationID] = []
    private var next = 0

    subscript(id: OperationID) -> Int64? { numbers[id] }

    func add(_ id: OperationID, as number: Int64) {
        numbers[id] = number
        guard ids.count == Self.capacity else { return ids.append(id) }
        numbers[ids[next]] = nil
        ids[next] = id
        next = (next + 1) % Self.capacity
    }

    /// Forgets all, because what was stored last is not stored after all.
    func removeAll() {
        numbers = [:]
        ids = []
        next = 0
    }
}

/// Finds the rows of the operations that a header names, for one transaction.
struct RowNumbers {
    private let recent: RecentRows
    private let find: Query
    private var made: [OperationID: Int64] = [:]
    private var order: [OperationID] = []

    init(_ recent: RecentRows, on database: Database) throws {
        self.recent = recent
        find = try Query(
            "SELECT n FROM \(StoredOperation.byID) WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1", on: database)
    }

    /// The row of an operation; nil if it is not here.
    func number(of id: OperationID) throws -> Int64? {
        if let number = made[id] ?? recent[id] { return number }
        try find.bind(id, at: 1)
        return try find.first { $0.number(0) }
    }

    /// Notes the row of an operation that the transaction has inserted.
    mutating func add(_ id: OperationID, as number: Int64) {
        made[id] = number
        order.append(id)
    }

    /// Notes for later transactions what this one made, which is durable.
    func keep() {
        for id in order.suffix(RecentRows.capacity) {
            if let number = made[id] { recent.add(id, as: number) }
        }
    }
}

/// Finds the names of rows that headers refer to; remembers those that were read last, among which most of them are.
final class RowNames {
    private static let slots = 64

    private let find: Query
    private var read = [(number: Int64, id: OperationID)?](repeating: nil, count: slots)

    init(on database: Database) throws {
        find = try Query("SELECT id FROM operations WHERE n = ?1", on: database)
    }

    /// The name of a row.
    ///
    /// - Throws: ``StoreError`` if there is no such row.
    func id(of number: Int64) throws -> OperationID {
        if let known = read[Self.slot(of: number)], known.number == number { return known.id }
        try find.bind(number, at: 1)
        guard let id: OperationID = try find.first({ try $0.identifier(0) }) else {
            throw StoreError.corrupted("a row names an unknown operation")
        }
        note(id, of: number)
        return id
    }

    /// Notes the name of a row that was read.
    func note(_ id: OperationID, of number: Int64) { read[Self.slot(of: number)] = (number, id) }

    private static func slot(of number: Int64) -> Int { Int(truncatingIfNeeded: number & Int64(slots - 1)) }
}
