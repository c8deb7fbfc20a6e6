import OperationLog

/// One replica in memory that takes batches in any order and keeps those that wait.
public struct Replica {
    /// Its log.
    public private(set) var log: ConversationLog
    /// What it admitted, in order, lane by lane.
    public private(set) var admitted: [Lane: [AdmittedOperation]] = [:]
    /// What waits.
    public private(set) var waiting: [Batch] = []
    private let index = MemoryIndex()

    /// Holds nothing of a conversation.
    public init(of conversation: ConversationID) {
        log = Room.emptyLog(of: conversation)
    }

    /// Takes a batch, and then those that waited for it.
    ///
    /// - Returns: what became of the batch at once.
    @discardableResult
    public mutating func receive(_ batch: Batch) throws -> Admission {
        let admission = try admit(batch)
        if case .pending = admission { waiting.append(batch) }
        var isSettled = false
        while !isSettled {
            isSettled = true
            let retried = waiting
            waiting = []
            for batch in retried {
                switch try admit(batch) {
                case .pending: waiting.append(batch)
                case .admitted: isSettled = false
                case .duplicate, .inadmissible: break
                }
            }
        }
        return admission
    }

    private mutating func admit(_ batch: Batch) throws -> Admission {
        let admission = try log.admit(batch, using: index)
        if case .admitted(let operations) = admission {
            admitted[batch.lane, default: []] += operations
            if batch.lane == .content { index.insert(operations) }
        }
        return admission
    }
}
