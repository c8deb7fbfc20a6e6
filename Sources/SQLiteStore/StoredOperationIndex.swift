import GRDB
import OperationLog
import Storage

/// Finds the content operations of one conversation on disk.
public struct StoredOperationIndex: OperationIndex {
    let store: ReplicaStore
    /// Zero, which no conversation has, where nothing is stored yet.
    let conversation: Int64

    /// The position of an operation, or nil if the replica does not hold it in this conversation's content lane.
    ///
    /// - Complexity: one look-up in an index, about 5 µs.
    public func placement(of id: OperationID) throws(StoreError) -> Placement? {
        try store.access { try find(id, on: $0) }
    }

    func find(_ id: OperationID, on database: Database) throws -> Placement? {
        let select = try Query(
            """
            SELECT \(StoredOperation.columns) FROM \(StoredOperation.byID)
            WHERE substr(id, 1, 8) = substr(?1, 1, 8) AND id = ?1 AND conversation = ?2 AND lane = 1
            """, on: database)
        try select.bind(id, at: 1)
        try select.bind(conversation, at: 2)
        let reading = try StoredOperation(using: store.register, on: database)
        return try select.first { row in
            let header = try reading.header(in: row)
            return Placement(
                id: id, device: header.device, sequenceNumber: header.sequenceNumber,
                hybridTime: StoredOperation.hybridTime(in: row), membershipHeads: header.membershipHeads)
        }
    }
}

extension ReplicaStore {
    /// An index over the content lane of a conversation, for admission. It sees what is committed when it is asked.
    public func index(of conversation: ConversationID) -> StoredOperationIndex {
        StoredOperationIndex(store: self, conversation: register[conversation]?.number ?? 0)
    }
}
