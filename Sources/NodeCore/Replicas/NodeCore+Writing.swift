import Conversations
import OperationLog
import Replication

/// Where operations of a commit came from.
enum Origin {
    /// Written by this device.
    case local
    /// Received over a connection.
    case peer(PeerHandle)

    /// Whether this node is the first that has them.
    var isLocal: Bool {
        switch self {
        case .local: true
        case .peer: false
        }
    }
}

extension NodeCore {
    /// Writes operations into a conversation: links them, commits them to disk, and only then shows and sends them.
    ///
    /// - Parameter compose: changes a copy of the log, as this device and now, and returns what it wrote.
    /// - Throws: `disk_full` or `storage_failed`; the conversation is then as it was.
    @discardableResult
    package mutating func write(
        in conversation: ConversationID,
        compose: (inout ConversationLog, Author, Timestamp) throws(MalformedBytes) -> [AdmittedOperation]
    ) throws(NodeError) -> [AdmittedOperation] {
        guard let replica = replicas[conversation] else {
            preconditionFailure("operations are written into open conversations")
        }
        var log = replica.log
        let written: [AdmittedOperation]
        do throws(MalformedBytes) {
            written = try compose(&log, keys.author, moment.wall)
        } catch {
            preconditionFailure("this node wrote a malformed body: \(error)")
        }
        try commit(written, log: log, from: .local)
        return written
    }

    /// Makes operations durable in one transaction, then visible, then known to peers.
    mutating func commit(_ admitted: [AdmittedOperation], log: ConversationLog, from origin: Origin) throws(NodeError) {
        let lanes = Lane.allCases.compactMap { lane -> LaneCommit? in
            let operations = Self.operations(of: lane, among: admitted)
            guard !operations.isEmpty else { return nil }
            return LaneCommit(operations, to: lane, of: log)
        }
        do throws(StoreError) {
            try storage.commit(lanes, receivedAt: moment.wall)
        } catch {
            storageTrouble = error
            throw NodeError(error)
        }
        storageTrouble = nil
        var replica = replicas[log.conversation] ?? Replica(conversation: log.conversation, root: log.root)
        let told = replica.group.systemMessages
        replica.log = log
        for commit in lanes {
            switch commit.lane {
            case .membership: replica.group.insert(commit.operations.map(\.operation))
            case .content: replica.contentCount += commit.operations.count
            }
        }
        replicas[log.conversation] = replica
        for commit in lanes where commit.lane == .membership { learn(from: commit.operations) }
        for entry in admitted where entry.provesFork { note(.forked(entry.operation.author.id)) }
        show(.committed(admitted, in: replica.id, told: lanes.contains { $0.lane == .membership } ? told : nil))
        for commit in lanes {
            if commit.lane == .membership {
                let audience = replica.group.audience
                announce(audience, of: replica.id)
                bidFarewells(in: replica, to: audience)
            }
            replicate(
                .committed(
                    log.conversation, commit.lane, log.frontier(of: commit.lane),
                    operations: origin.isLocal
                        ? Batch(lane: commit.lane, operations: commit.operations.map(\.operation)) : nil,
                    isLocal: origin.isLocal))
        }
    }

    /// The operations of one lane; without copying them if, as nearly always, all stand in it.
    private static func operations(of lane: Lane, among admitted: [AdmittedOperation]) -> [AdmittedOperation] {
        let isIn = { (entry: AdmittedOperation) in entry.operation.header.lane == lane }
        return admitted.allSatisfy(isIn) ? admitted : admitted.filter(isIn)
    }

    /// Learns the records of people that membership operations carry.
    private mutating func learn(from membership: [AdmittedOperation]) {
        for entry in membership {
            for record in MembershipBody.of(entry.operation)?.records ?? [] where contacts.learn(record) {
                keep(record)
            }
        }
    }
}
