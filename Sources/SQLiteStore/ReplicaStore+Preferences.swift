import GRDB
import OperationLog
import Storage

extension ReplicaStore {
    /// What the user keeps for themselves about conversations, sealed for rest; the conversations need not be here.
    public func preferences() throws(StoreError) -> [ConversationID: [UInt8]] {
        try access { database in
            let select = try Query("SELECT conversation, sealed FROM private_states", on: database)
            var states: [ConversationID: [UInt8]] = [:]
            try select.forEachRow { row in
                states[try row.identifier(0)] = row.bytes(1)
                return true
            }
            return states
        }
    }

    /// Keeps what the user keeps for themselves about conversations, sealed for rest, in the place of what was there;
    /// in one transaction.
    public func save(preferences sealed: [ConversationID: [UInt8]]) throws(StoreError) {
        try transaction { database in
            let upsert = try Query(
                """
                INSERT INTO private_states(conversation, sealed) VALUES(?1, ?2)
                ON CONFLICT(conversation) DO UPDATE SET sealed = excluded.sealed
                """, on: database)
            for (conversation, state) in sealed {
                try upsert.bind(conversation, at: 1)
                try upsert.bind(state, at: 2)
                try upsert.run()
            }
        }
    }
}
