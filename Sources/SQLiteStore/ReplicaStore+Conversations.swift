import Cryptography
import GRDB
import OperationLog
import Storage
import Time

extension ReplicaStore {
    /// The conversations, in the order they were opened.
    public func conversations() -> [ConversationRecord] {
        register.conversations.map { ConversationRecord(id: $0.id, root: $0.root) }
    }

    /// Makes a conversation known before any of its operations is here; one that is known stays as it is.
    public func open(_ conversation: ConversationID, root: ConversationRoot, at time: Timestamp) throws(StoreError) {
        var register = register
        try transaction { _ = try register.open(conversation, root: root, at: time, on: $0) }
        self.register = register
    }

    /// What the log of a conversation was when the last commit to it returned; empty for an unknown conversation.
    ///
    /// - Complexity: O(*m* + *c*) for *m* membership operations and *c* chains, whatever the size of the content lane.
    public func log(of conversation: ConversationID) throws(StoreError) -> StoredLog {
        guard let number = register[conversation]?.number else {
            return StoredLog(membership: [], contentFrontier: Frontier(), contentHeads: [])
        }
        return try access { database in
            StoredLog(
                membership: try membership(of: number, on: database),
                contentFrontier: try frontier(of: number, lane: .content, on: database),
                contentHeads: try heads(of: number, on: database))
        }
    }

    /// The chains of a lane.
    public func frontier(of conversation: ConversationID, lane: Lane) throws(StoreError) -> Frontier {
        guard let number = register[conversation]?.number else { return Frontier() }
        return try access { try frontier(of: number, lane: lane, on: $0) }
    }

    private func membership(of conversation: Int64, on database: Database) throws -> [Operation] {
        let select = try Query(
            """
            SELECT \(StoredOperation.columns) FROM operations INDEXED BY operations_by_chain
            WHERE conversation = ?1 AND lane = 0 ORDER BY n
            """, on: database)
        try select.bind(conversation, at: 1)
        let reading = try StoredOperation(using: register, on: database)
        return try select.map { try reading.read($0) }
    }

    func frontier(of conversation: Int64, lane: Lane, on database: Database) throws -> Frontier {
        let select = try Query(
            "SELECT device, sequence, id FROM tips WHERE conversation = ?1 AND lane = ?2", on: database)
        try select.bind(conversation, at: 1)
        try select.bind(Int64(lane.rawValue), at: 2)
        return Frontier(
            try select.map { row in
                let tip = ChainTip(sequenceNumber: try row.sequenceNumber(1), id: try row.identifier(2))
                return (try register.device(row.number(0)).id, tip)
            })
    }

    private func heads(of conversation: Int64, on database: Database) throws -> [Placement] {
        let select = try Query("SELECT id FROM heads WHERE conversation = ?1", on: database)
        try select.bind(conversation, at: 1)
        let ids: [OperationID] = try select.map { try $0.identifier(0) }
        let index = StoredOperationIndex(store: self, conversation: conversation)
        return try ids.map { id in
            guard let head = try index.find(id, on: database) else {
                throw StoreError.corrupted("a head of the content lane is missing")
            }
            return head
        }
    }
}
