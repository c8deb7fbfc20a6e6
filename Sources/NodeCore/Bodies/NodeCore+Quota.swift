import Conversations
import OperationLog
import Replication
import Storage

/// Gives the bodies of each author a share of the disk, and takes up what had no room once there is some.
extension NodeCore {
    /// Bytes of one lane of a conversation that the user has not accepted, closed bodies aside.
    package static let maximumUnacceptedLaneBytes = BodyQuota.unaccepted.lane
    /// Conversations in which the user took no part, from which on strangers bring no more.
    package static let maximumRequests = BodyQuota.maximumRequests

    /// What a message that was pushed counts for its sender, in bytes: records of people as many times as they take in
    /// memory, since each is verified and kept.
    public static func cost(of message: ReceivedMessage) -> Int {
        guard case .batch(.success(let batch))? = message.verified else { return message.byteCount }
        return batch.operations.reduce(message.byteCount) {
            $0 + max(0, BodyQuota.laneBytes(of: $1) - $1.footprint)
        }
    }

    /// The conversations whose bodies are to be counted anew.
    package var uncounted: Set<ConversationID> { bodyQuota.uncounted }

    /// Why there may be no room for what somebody brings of a conversation; nil if there is.
    package mutating func lackOfRoom(in conversation: ConversationID) -> LackOfRoom? {
        bodyQuota.lackOfRoom(in: conversation, &context)
    }

    /// Why members hold more of a conversation than is taken here; nil if they do not.
    ///
    /// - Complexity: O(*c*) in conversations while members hold something else, else O(1).
    public func reasonHeldBack(_ conversation: ConversationID) -> LackOfRoom? {
        switch replicator.status(of: conversation).state {
        case .synced, .alone: return nil
        case .behind, .pulling:
            // Whether the user takes part may be noted: here that is not kept.
            var context = context
            return bodyQuota.lackOfRoom(in: conversation, &context)
        }
    }

    /// Whether there is room for a closed body that is for this device. What the user wrote has it always.
    ///
    /// - Parameter isUnaccepted: whether the user has not accepted the conversation; found out when it first makes a
    ///   difference.
    mutating func hasRoom(
        for operation: Operation, in replica: inout Replica, isUnaccepted: inout Bool?
    ) -> Bool {
        // What was wanted before is counted.
        guard !replica.wanted.contains(operation.id) else { return true }
        guard operation.author.user != me else {
            replica.quotas.count(operation)
            return true
        }
        // Taken out, so that nothing is copied.
        var quotas = replica.quotas
        replica.quotas = BodyQuotas()
        defer { replica.quotas = quotas }
        let storage = storage
        return quotas.take(operation, hasLetIn: replica.group.hasLetIn) {
            replica.isCutOff(operation, in: storage) || replica.isRevoked(operation, in: storage)
        } isUnaccepted: {
            let known = isUnaccepted ?? context.isUnaccepted(replica)
            isUnaccepted = known
            return known
        }
    }

    /// Takes note that bodies are not in the storage any more.
    mutating func erased(_ bodies: [OperationID], in conversation: ConversationID) {
        replicas[conversation]?.wanted.subtract(bodies)
        makeRoom(after: Set(bodies), in: conversation)
        tellFiles(.erased(bodies, in: conversation))
    }

    /// Notes that bodies went.
    mutating func makeRoom(after gone: Set<OperationID>, in conversation: ConversationID) {
        guard !gone.isEmpty else { return }
        replicas[conversation]?.quotas.forget(gone)
        bodyQuota.recount(conversation)
    }

    /// Counts anew where bodies went, other people are in, or the user has accepted the conversation, and wants what
    /// has room now.
    mutating func recountBodies() {
        for conversation in bodyQuota.dueRecounts(in: &context) {
            do throws(StoreError) {
                try recountBodies(of: conversation)
                bodyQuota.recounted(conversation)
            } catch {
                storageFailed(error)
            }
        }
    }

    private mutating func recountBodies(of conversation: ConversationID) throws(StoreError) {
        guard var replica = replicas[conversation] else { return }
        let isUnaccepted = context.isUnaccepted(replica)
        let storage = storage
        var quotas = BodyQuotas(try storage.bodyBytes(in: conversation))
        let wanted = try storage.declined(in: conversation).filter { operation in
            quotas.take(operation, hasLetIn: replica.group.hasLetIn) {
                replica.isCutOff(operation, in: storage)
            } isUnaccepted: {
                isUnaccepted
            }
        }
        if !wanted.isEmpty { try storage.want(wanted, in: conversation) }
        replica.quotas = quotas
        for operation in wanted { replica.wanted.insert(WantedBody(of: operation)) }
        replicas[conversation] = replica
        guard !wanted.isEmpty else { return }
        tellReceipts(.changed(conversation))
        tellBodies(.changed(conversation))
        show(.conversation(conversation))
    }
}
