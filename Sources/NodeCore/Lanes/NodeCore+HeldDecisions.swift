import Conversations
import OperationLog
import Storage

/// Knows which of this device's own changes to a conversation somebody else has: who is offline sees what only they
/// know of yet.
extension NodeCore {
    /// Notes how far a member holds this device's own chain in a membership lane. That stays so, whoever goes offline.
    mutating func noteHeld(_ conversation: ConversationID, through number: UInt64) {
        guard laneExchange.noteHeld(conversation, through: number) else { return }
        do throws(StoreError) {
            try storage.save(heldDecisions: number, of: conversation)
        } catch {
            storageFailed(error)
        }
        show(.conversation(conversation))
    }

    /// Whether somebody else is known to have a change that this device made; nil for what others made, and where
    /// nobody else is who could have it.
    public func isHeldElsewhere(_ change: OperationID, in replica: Replica) -> Bool? {
        guard let operation = replica.group.entry(change)?.operation, operation.author.id == device.id,
            replica.group.members.contains(where: { $0.user != me })
        else { return nil }
        return operation.header.sequenceNumber <= laneExchange.heldDecisions[replica.id] ?? 0
    }

    /// Whether somebody else is known to have all that this device decided in a conversation.
    ///
    /// - Complexity: O(1) where that is so; else O(*n*) in what came after the first decision that nobody has.
    func areDecisionsHeldElsewhere(_ conversation: ConversationID) -> Bool {
        guard let replica = replicas[conversation] else { return true }
        let held = laneExchange.heldDecisions[conversation] ?? 0
        guard replica.log.membershipFrontier.sequenceNumber(of: device.id) > held,
            replica.group.members.contains(where: { $0.user != me })
        else { return true }
        // What a node writes by itself, such as its new keys, is nothing that the user waits for.
        for entry in replica.group.history.reversed() where entry.operation.author.id == device.id {
            guard entry.operation.header.sequenceNumber > held else { return true }
            if entry.isDecision { return false }
        }
        return true
    }
}

extension Group.Entry {
    /// Whether a person decided it, and no node by itself.
    fileprivate var isDecision: Bool {
        switch body {
        case .create, .add, .invite, .join, .decline, .cancel, .remove, .promote, .demote, .set, .leave, .stepdown: true
        case .ratify, .device, .merge, .revoke, nil: false
        }
    }
}
