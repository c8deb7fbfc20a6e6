import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// The receipts of a conversation, each device's latest.
    public func receipts(of conversation: ConversationID) throws(StoreError) -> [StoredReceipt] {
        guard let number = register[conversation]?.number else { return [] }
        return try access { database in
            let select = try Query(
                "SELECT record, steps FROM receipts WHERE conversation = ?1 ORDER BY device", on: database)
            try select.bind(number, at: 1)
            var receipts: [StoredReceipt] = []
            try select.forEachRow { row in
                do throws(MalformedBytes) {
                    let record = try ReceiptRecord(stored: row.bytes(0), of: conversation)
                    receipts.append(try StoredReceipt(record: record, steps: row.bytes(1)))
                } catch {
                    throw StoreError.corrupted("a receipt of conversation \(conversation) does not decode: \(error)")
                }
                return true
            }
            return receipts
        }
    }

    /// Keeps receipts of a conversation that is stored, each in the place of its device's earlier one.
    public func save(_ receipts: [StoredReceipt], of conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number, !receipts.isEmpty else { return }
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO receipts(conversation, device, record, steps) VALUES(?1, ?2, ?3, ?4)
                ON CONFLICT(conversation, device) DO UPDATE SET record = excluded.record, steps = excluded.steps
                """, on: database)
            try upsert.bind(number, at: 1)
            for receipt in receipts {
                try upsert.bind(receipt.record.device.id, at: 2)
                try upsert.bind(receipt.record.encoded, at: 3)
                try upsert.bind(receipt.encodedSteps, at: 4)
                try upsert.run()
            }
        }
    }
}
