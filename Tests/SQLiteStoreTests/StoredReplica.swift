import Conversations
import OperationLog
import OperationLogFixtures
import SQLiteStore
import Storage
import Time

/// One replica on disk that takes batches in any order and keeps those that wait, as a node does.
struct StoredReplica {
    let store: ReplicaStore
    var log: ConversationLog
    var waiting: [Batch] = []

    init(of conversation: ConversationID, in store: ReplicaStore) {
        self.store = store
        log = Room.emptyLog(of: conversation)
    }

    mutating func receive(_ batch: Batch, at time: Timestamp = .earliest) throws {
        waiting.append(batch)
        var isSettled = false
        while !isSettled {
            isSettled = true
            let retried = waiting
            waiting = []
            for batch in retried {
                switch try admit(batch, at: time) {
                case .pending: waiting.append(batch)
                case .admitted: isSettled = false
                case .duplicate, .inadmissible: break
                }
            }
        }
    }

    private mutating func admit(_ batch: Batch, at time: Timestamp) throws -> Admission {
        var draft = log
        let admission = try draft.admit(batch, using: store.index(of: log.conversation))
        if case .admitted(let operations) = admission {
            try store.commit([LaneCommit(operations, to: batch.lane, of: draft)], receivedAt: time)
            log = draft
        }
        return admission
    }
}

extension ReplicaStore {
    /// The log of a conversation, rebuilt from what is stored.
    func restoreLog(of conversation: ConversationID) throws -> ConversationLog {
        let stored = try log(of: conversation)
        var log = Room.emptyLog(of: conversation)
        try log.restore(
            membership: stored.membership, contentFrontier: stored.contentFrontier, contentHeads: stored.contentHeads,
            introducing: PlainIntroductions.read)
        return log
    }
}

extension TemporaryDirectory {
    /// Opens the replica in the directory.
    func open(file name: String = "replica.db") throws(StoreError) -> ReplicaStore {
        try ReplicaStore(at: file(name), replicaEpoch: Array(repeating: 1, count: 16))
    }
}
