import Conversations
import OperationLog
import Replication
import Time

/// A home that was restored from a backup writes nothing before others have shown what this device wrote since.
///
/// What the lost home wrote after the backup has sequence numbers that this one would use again, which is a fork. Others bring those
/// operations when the replicas are compared. A conversation is *confirmed* once a connected device of another member holds the same as this node
/// and no connected one holds anything else. When all are confirmed the node writes again.
///
/// Its limit: where the only member who is connected has not received the latest operations of this device either, the next one forks
/// the chain. Then all that both homes wrote is still kept and shown.
extension NodeCore {
    /// Whether this node waits until others have shown what its lost home wrote.
    public var isRestored: Bool { context.isRestored }

    /// The conversations in which nobody has shown it yet.
    public var unconfirmed: Set<ConversationID> { context.unconfirmed }

    /// Says that the home was restored from a backup at some time; said before ``start(onPort:discovers:program:at:)``, at each start.
    ///
    /// - Parameter isConfirmed: whether the effect ``Effect/confirmHome`` came since it was restored.
    public mutating func noteRestoration(isConfirmed: Bool) {
        context.wasRestored = true
        guard !isConfirmed else { return }
        context.unconfirmed = Set(replicas.values.filter(isShared).map(\.id))
        if !isRestored { effects.append(.confirmHome) }
    }

    /// Waits for the rest of what the lost home wrote in a conversation that the backup did not have.
    ///
    /// - Returns: whether operations of this device that others brought are of such a conversation.
    mutating func expectsOwn(in conversation: ConversationID) -> Bool {
        guard context.wasRestored, let log = replicas[conversation]?.log,
            [log.membershipFrontier, log.contentFrontier].allSatisfy({ $0.sequenceNumber(of: device.id) == 0 })
        else { return false }
        context.unconfirmed.insert(conversation)
        return true
    }

    /// Whether somebody else can have received what this device wrote in a conversation.
    private func isShared(_ replica: Replica) -> Bool {
        // Of a direct conversation that was only begun, nobody has heard.
        !replica.isOnlyBegun && replica.group.isMember(me)
            && replica.group.members.contains { $0.user != me && !contacts[$0.user].isDeleted }
    }

    /// Looks which conversations are confirmed now.
    ///
    /// - Complexity: O(1) in a home that was not restored; else O(*n*) in its conversations and connections.
    mutating func confirm() {
        guard isRestored else { return }
        for conversation in context.unconfirmed where isConfirmed(conversation) {
            context.unconfirmed.remove(conversation)
        }
        guard !isRestored else { return }
        effects.append(.confirmHome)
        note(.homeConfirmed)
        resumeWriting()
    }

    private func isConfirmed(_ conversation: ConversationID) -> Bool {
        guard let replica = replicas[conversation], isShared(replica) else { return true }
        let status = replicator.status(of: conversation)
        guard status.state == .synced else { return false }
        let equal = Set(status.inSync)
        // Who has only just connected may hold more than the one who was compared.
        return links.values.compactMap { $0.identity?.device }.allSatisfy { device in
            !replica.group.isMember(device.user) || equal.contains(device.id)
        }
    }

    /// Writes what was owed while nothing was written.
    mutating func resumeWriting() {
        guard !context.writesNothing else { return }
        for conversation in replicas.keys.sorted() {
            writeObligations(in: conversation)
            tellReceipts(.changed(conversation))
        }
        planWake()
    }
}

extension NodeError {
    /// The error for every write before others have shown what a lost home wrote.
    public static let homeRestored = NodeError(
        .homeRestored,
        "This node was restored from a backup and waits until other members have shown what it wrote since",
        hint:
            "Wait until a member of each conversation is connected. Where nobody will come again, start it once with: moot up --only-copy"
    )
}
