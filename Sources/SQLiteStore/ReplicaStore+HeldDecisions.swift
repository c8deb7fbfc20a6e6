import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// How far others are known to hold this device's own chain in membership lanes: sequence numbers; no conversation
    /// where nobody does.
    public func heldDecisions() throws(StoreError) -> [ConversationID: UInt64] {
        try access { database in
            var held: [ConversationID: UInt64] = [:]
            try Query("SELECT conversation, sequence FROM held_decisions", on: database).forEachRow { row in
                held[try register.conversation(row.number(0)).id] = try row.sequenceNumber(1)
                return true
            }
            return held
        }
    }

    /// Keeps how far others are known to hold this device's own chain in a membership lane.
    public func save(heldDecisions sequenceNumber: UInt64, of conversation: ConversationID) throws(StoreError) {
        guard let number = register[conversation]?.number else { return }
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO held_decisions(conversation, sequence) VALUES(?1, ?2)
                ON CONFLICT(conversation) DO UPDATE SET sequence = max(sequence, excluded.sequence)
                """, on: database)
            try upsert.bind(number, at: 1)
            try upsert.bind(Int64(clamping: sequenceNumber), at: 2)
            try upsert.run()
        }
    }
}
