import Cryptography
import GRDB
import OperationLog

/// The columns from which an operation is read back, and the reading.
enum StoredOperation {
    /// The columns, for a SELECT. Others may follow from ``columnCount`` on.
    static let columns = "n, device, id, header, body, signature"
    /// How many columns there are.
    static let columnCount: Int32 = 6

    /// The place of the operation in the order of arrival.
    static func arrival(in row: QueryRow) -> Int64 { row.number(0) }

    /// Reads the operation of a row.
    static func read(_ row: QueryRow, using register: Register) throws -> Operation {
        let signature: Signature?
        if let bytes = row.bytesIfPresent(5) {
            signature = Signature(bytes: bytes)
            guard signature != nil else { throw StoreError.corrupted("a signature has \(bytes.count) bytes") }
        } else {
            signature = nil
        }
        return try Operation(
            stored: row.bytes(3), id: try row.identifier(2), author: try register.device(row.number(1)),
            body: row.bytesIfPresent(4), signature: signature)
    }
}
