import Conversations
import OperationLog
import Replication

/// Gives the bodies of each author a share of the disk, and little to conversations that the user has not accepted.
///
/// That is a choice of this replica alone, which it tells nobody: headers stay, so frontiers and digests are the same everywhere. A bound on
/// operations instead would depend on the order in which they come, and split replicas.
extension NodeCore {
    /// Bytes of one lane of a conversation that the user has not accepted, closed bodies aside.
    package static let unacceptedLaneLimit = 4 << 20
    /// How long to rest before bodies are counted anew once more: whoever deletes one text after the other must not make this node read all that it
    /// declined each time.
    private static let recountRest: Duration = .seconds(10)

    /// Whether there is room for a closed body that is for this device. What the user wrote has it always.
    ///
    /// - Parameter isUnaccepted: whether the user has not accepted the conversation; found out when it first makes a difference.
    mutating func hasRoom(
        for operation: Operation, in replica: inout Replica, isUnaccepted: inout Bool?
    ) -> Bool {
        // What was wanted before is counted.
        guard !replica.wanted.contains(operation.id) else { return true }
        guard operation.author.user != me else {
            replica.shares.count(operation)
            return true
        }
        // Taken out, so that nothing is copied.
        var shares = replica.shares
        replica.shares = BodyShares()
        defer { replica.shares = shares }
        let storage = storage
        return shares.take(operation) {
            replica.isCutOff(operation, in: storage)
        } isUnaccepted: {
            let known = isUnaccepted ?? self.isUnaccepted(replica)
            isUnaccepted = known
            return known
        }
    }

    /// Notes that bodies went.
    mutating func makeRoom(after gone: Set<OperationID>, in conversation: ConversationID) {
        guard !gone.isEmpty else { return }
        replicas[conversation]?.shares.forget(gone)
        crowded.insert(conversation)
    }

    /// Counts anew where bodies went, other people are in, or the user has accepted the conversation, and wants what has room now.
    mutating func recountBodies() {
        for (id, replica) in replicas
        where !replica.shares.declined.isEmpty && !accepted.contains(id) && !isUnaccepted(replica) {
            accepted.insert(id)
            crowded.insert(id)
        }
        guard !crowded.isEmpty, nextRecount.map({ $0 <= now }) ?? true else { return }
        nextRecount = now + Self.recountRest
        for conversation in crowded.sorted() where recountBodies(of: conversation) { crowded.remove(conversation) }
    }

    /// - Returns: whether the storage could do it.
    private mutating func recountBodies(of conversation: ConversationID) -> Bool {
        guard var replica = replicas[conversation] else { return true }
        let isUnaccepted = isUnaccepted(replica)
        let storage = storage
        do throws(StoreError) {
            var shares = BodyShares(try storage.bodyBytes(in: conversation))
            let wanted = try storage.declined(in: conversation).filter { operation in
                shares.take(operation) {
                    replica.isCutOff(operation, in: storage)
                } isUnaccepted: {
                    isUnaccepted
                }
            }
            if !wanted.isEmpty { try storage.want(wanted, in: conversation) }
            replica.shares = shares
            replica.wanted.formUnion(wanted.map(\.id))
            replicas[conversation] = replica
            guard !wanted.isEmpty else { return true }
        } catch {
            lastStorageError = error
            note(.notStored(NodeError(error)))
            return false
        }
        tellReceipts(.changed(conversation))
        askForBodies(in: conversation)
        show(.conversation(conversation))
        return true
    }

    // MARK: - Lanes

    /// Whether a batch that a peer sent has room: all of it, but in a conversation that the user has not accepted, from a stranger.
    mutating func hasRoom(for batch: Batch, in conversation: ConversationID, from peer: PeerHandle) -> Bool {
        guard let replica = replicas[conversation], !touched.contains(conversation) else {
            requestBytes[conversation] = nil
            return true
        }
        // Many may have been announced before anything came of them.
        if replica.operationCount == 0, !mayBring(conversation, peer) { return false }
        let held = requestBytes[conversation] ?? laneBytes(of: replica)
        requestBytes[conversation] = held
        guard batch.operations.reduce(held[batch.lane] ?? 0, { $0 + Self.laneBytes(of: $1) }) > Self.unacceptedLaneLimit
        else {
            return true
        }
        if let sender = links[peer]?.identity?.device.user, isFamiliar(sender) { return true }
        return !isUnaccepted(replica)
    }

    /// Whether a lane of a conversation is so full that what a stranger brings may find no room, because the user has not accepted it.
    package mutating func mayLackRoom(in conversation: ConversationID) -> Bool {
        guard let replica = replicas[conversation] else { return false }
        let held = requestBytes[conversation] ?? laneBytes(of: replica)
        return held.values.contains { $0 + 2 * Limits.batchBytes > Self.unacceptedLaneLimit } && isUnaccepted(replica)
    }

    private func laneBytes(of replica: Replica) -> [Lane: Int] {
        [
            .membership: replica.log.membership.operations.reduce(0) { $0 + Self.laneBytes(of: $1) },
            .content: replica.contentCount * Operation.leastFootprint,
        ]
    }

    /// Counts what was stored of a conversation that the user has not accepted.
    mutating func countStored(_ operations: [AdmittedOperation], in conversation: ConversationID) {
        guard var held = requestBytes[conversation] else { return }
        for entry in operations { held[entry.operation.header.lane, default: 0] += Self.laneBytes(of: entry.operation) }
        requestBytes[conversation] = held
    }

    private static func laneBytes(of operation: Operation) -> Int {
        let header = operation.header
        // Closed bodies have a share of their own.
        return header.lane == .content && header.type.isClosed
            ? operation.footprint - header.bodyLength : operation.footprint
    }
}
