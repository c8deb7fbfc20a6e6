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
        return try write(in: replica, compose: compose)
    }

    /// Writes operations into a replica that is open already, or is opened with them: if they cannot be stored, nobody has heard of it.
    @discardableResult
    mutating func write(
        in replica: Replica,
        compose: (inout ConversationLog, Author, Timestamp) throws(MalformedBytes) -> [AdmittedOperation]
    ) throws(NodeError) -> [AdmittedOperation] {
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

    /// Writes texts that only the members of this moment can read, in one commit with the key they need.
    ///
    /// - Parameter last: what more to write about the last of them.
    /// - Throws: as ``write(in:compose:)``.
    package mutating func write(
        closed texts: [(type: OperationType, plaintext: [UInt8])], in conversation: ConversationID,
        about last: (OperationID) -> [(type: OperationType, plaintext: [UInt8])] = { _ in [] }
    ) throws(NodeError) -> [AdmittedOperation] {
        var replica = try replica(conversation)
        // Whoever is no reader could not open what they write themselves, and others would not take it.
        guard replica.view(at: replica.log.membership.heads)?.contains(device.id) == true else {
            throw NodeError(
                .notAParticipant, "This device is not among those that can read the conversation",
                hint: replica.group.isMember(me) ? "Other devices of yours took all its places." : nil)
        }
        var log = replica.log
        let (written, made): ([AdmittedOperation], [OperationID: EpochKey])
        do throws(MalformedBytes) {
            (written, made) = try seal(texts, in: replica, log: &log, about: last)
        } catch {
            preconditionFailure("this node wrote a malformed body: \(error)")
        }
        try commit(written, log: log, from: .local, made: made)
        touched.insert(conversation)
        return written
    }

    /// Makes operations durable in one transaction, then visible, then known to peers.
    ///
    /// - Parameter made: keys of epochs among them that this device has just made.
    mutating func commit(
        _ admitted: [AdmittedOperation], log: ConversationLog, from origin: Origin, made: [OperationID: EpochKey] = [:]
    ) throws(NodeError) {
        if origin.isLocal { try checkIsOnlyCopy() }
        var replica = replicas[log.conversation] ?? Replica(conversation: log.conversation, root: log.root)
        let before = replica.group
        var hasConsequences = false
        replica.log = log
        var lanes: [LaneCommit] = []
        var settled: [AdmittedOperation] = []
        var takenBack: Set<OperationID> = []
        for lane in Lane.allCases {
            var operations = Self.operations(of: lane, among: admitted)
            guard !operations.isEmpty else { continue }
            var encryption = EncryptionCommit()
            switch lane {
            case .membership: hasConsequences = replica.group.insert(operations.map(\.operation))
            case .content:
                (operations, encryption) = settle(operations, in: &replica, made: made)
                replica.contentCount += operations.count
                takenBack = encryption.takenBack
            }
            settled += operations
            lanes.append(LaneCommit(operations, to: lane, of: log, encryption: encryption))
        }
        do throws(StoreError) {
            try storage.commit(lanes, receivedAt: moment.wall)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        do throws(StoreError) {
            try replica.noteArrivals(of: settled, at: moment.wall, in: storage)
        } catch {
            // It is known again after the next start.
            note(.notServed(error))
        }
        if replicas[replica.id] == nil { open(replica) } else { replicas[replica.id] = replica }
        for commit in lanes where commit.lane == .membership { learn(from: commit.operations) }
        tellReceipts(.changed(replica.id))
        // A key that was sealed once more may open what came before it.
        if settled.contains(where: { $0.operation.header.type == .wrap }) { linkAnnotations(in: replica.id) }
        tellFiles(.committed(settled, in: replica.id))
        tellFiles(.erased(Array(takenBack), in: replica.id))
        countStored(settled, in: replica.id)
        makeRoom(after: takenBack, in: replica.id)
        // Who is out now, or in again, has less room or more.
        if hasConsequences, !replica.shares.declined.isEmpty { crowded.insert(replica.id) }
        for entry in admitted where entry.provesFork { note(.forked(entry.operation.author.id)) }
        show(.committed(settled, in: replica.id, told: hasConsequences ? before.systemMessages : nil))
        tellTyping(.committed(settled, in: replica.id))
        if !origin.isLocal, hasConsequences {
            let overruled = replica.group.overruled(before.decisions(of: me), in: log.membership)
            if !overruled.isEmpty { show(.overruled(overruled, in: replica.id)) }
        }
        for commit in lanes {
            if commit.lane == .membership, hasConsequences {
                let audience = audience(of: replica)
                planCodes(in: replica)
                settleJoin(in: replica.id)
                announce(audience, of: replica.id)
                sendRemovalProofs(in: replica, to: audience)
            }
            replicate(
                .committed(
                    log.conversation, commit.lane, log.frontier(of: commit.lane),
                    operations: origin.isLocal ? push(commit, in: &replica) : nil, isLocal: origin.isLocal))
        }
    }

    /// What peers are sent at once, and who of them may read it: what is written in one commit is written under the same heads.
    private mutating func push(_ commit: LaneCommit, in replica: inout Replica) -> Replicator.Push {
        let operations = commit.operations.map(\.operation)
        let view = operations.last.flatMap { last in
            commit.lane == .content ? replica.view(at: last.header.membershipHeads) : nil
        }
        let readers = commit.lane == .content ? Set(view?.readers.map(\.device) ?? []) : nil
        if let readers, !readers.isDisjoint(with: connectedDevices) { disclose(operations, of: replica.id) }
        return Replicator.Push(batch: Batch(lane: commit.lane, operations: operations), readers: readers)
    }

    /// The operations of one lane; without copying them if, as nearly always, all stand in it.
    private static func operations(of lane: Lane, among admitted: [AdmittedOperation]) -> [AdmittedOperation] {
        let isIn = { (entry: AdmittedOperation) in entry.operation.header.lane == lane }
        return admitted.allSatisfy(isIn) ? admitted : admitted.filter(isIn)
    }

    /// Learns what membership operations carry of people.
    private mutating func learn(from membership: [AdmittedOperation]) {
        for entry in membership {
            for person in MembershipBody.of(entry.operation)?.credentials ?? [] where contacts.learn(person) {
                keep(person.user)
            }
        }
    }
}
