import Cryptography
import GRDB
import OperationLog
import Storage

/// Reads operations back from their rows.
struct StoredOperation {
    /// The columns to select. Others may follow from ``columnCount`` on.
    static let columns =
        "n, device, id, header, body, signature, conversation, lane, type, epoch, sequence, effective_time"
    /// How many columns there are.
    static let columnCount: Int32 = 12

    /// Where to look for operations by id, newest arrivals first: a FROM clause to be narrowed by a condition on
    /// `substr(id, 1, 8)`. The index over ids is cut into pieces by age.
    static let byID = """
        (WITH RECURSIVE ages(age) AS (
            SELECT (SELECT max(n) FROM operations) >> 15 UNION ALL SELECT age - 1 FROM ages WHERE age > 0)
        SELECT age FROM ages)
        CROSS JOIN operations INDEXED BY operations_by_id ON n >> 15 = age
        """

    /// Where to look for content that is shown, by hybrid time: a FROM clause with the condition of its index.
    static let byTime = """
        operations INDEXED BY content_by_time
        WHERE lane = 1 AND type NOT BETWEEN 33 AND 35 AND availability NOT IN (1, 4, 6)
        """

    /// Where to look for content that is withheld: a FROM clause with the condition of its index.
    static let withheld = "operations INDEXED BY withheld_by_device WHERE availability = 6"

    private let register: SurrogateKeys
    private let names: RowNames

    /// Reads rows that name devices and conversations by the numbers of a register, and operations by those of their
    /// rows.
    init(using register: SurrogateKeys, on database: Database) throws {
        self.register = register
        names = try RowNames(on: database)
    }

    /// The place of the operation in the order of arrival.
    static func arrival(in row: QueryRow) -> Int64 { row.number(0) }

    /// The hybrid time of the operation.
    static func hybridTime(in row: QueryRow) -> Int64 { row.number(11) }

    /// The header of a row.
    func header(in row: QueryRow) throws -> OperationHeader {
        try header(in: row, with: row.bytesIfPresent(4))
    }

    private func header(in row: QueryRow, with body: [UInt8]?) throws -> OperationHeader {
        guard let lane = UInt8(exactly: row.number(7)).flatMap(Lane.init) else {
            throw StoreError.corrupted("a row names no lane")
        }
        names.note(try row.identifier(2), of: Self.arrival(in: row))
        return try StoredHeader.read(
            row.bytes(3), type: OperationType(rawValue: UInt64(bitPattern: row.number(8))),
            conversation: try register.conversation(row.number(6)).id, lane: lane,
            device: try register.device(row.number(1)).id, sequenceNumber: try row.sequenceNumber(10),
            hybridTime: Self.hybridTime(in: row), epoch: row.isNull(9) ? nil : row.number(9), body: body,
            using: register, names: names)
    }

    /// The operation of a row.
    func read(_ row: QueryRow) throws -> Operation {
        let signature: Signature?
        if row.isNull(5) {
            signature = nil
        } else {
            signature = row.withBytes(5) { Signature(bytes: $0) }
            guard signature != nil else { throw StoreError.corrupted("a signature has no 64 bytes") }
        }
        let body = row.bytesIfPresent(4)
        return try Operation(
            stored: try header(in: row, with: body), id: try row.identifier(2),
            author: try register.device(row.number(1)), body: body, signature: signature)
    }
}
