import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Time

extension Node {
    /// Who read a message of this user and when, who only received it, and who has not got it.
    ///
    /// - Throws: `message_not_found`, `ambiguous_name`, `insufficient_permissions` for somebody else's,
    ///   `storage_failed`.
    public func receipts(of message: String) throws(NodeError) -> ReceiptsDescription {
        let (id, replica) = try self.message(named: message)
        let operation = try stored(id, in: replica).operation
        guard operation.author.user == me else {
            throw NodeError(
                .insufficientPermissions, "Only who wrote a message is told who has read it",
                hint: "Ask \(contacts[operation.author.user].name).")
        }
        let receipts = core.receipts(for: operation, in: replica.id)
        let readers = Set(receipts.read.map(\.user))
        return ReceiptsDescription(
            message: id.description, conversation: replica.id.description,
            phase: core.hasFailed(operation, in: replica.id) ? .failed : DeliveryState.Phase(receipts.phase),
            read: receipts.read.map { person($0.user, at: $0.time) },
            delivered: receipts.delivered.filter { !readers.contains($0.user) }.map { person($0.user, at: $0.time) },
            missing: receipts.missing.map { person($0) }, readsShown: core.sharesReads(in: replica.id))
    }

    private func person(_ user: UserID, at time: Timestamp? = nil) -> ReceiptsDescription.Person {
        ReceiptsDescription.Person(
            user: user.description, name: contacts[user].name, at: time.map { Clock.text($0.milliseconds) })
    }

    /// Which of some people have read all that the user wrote; nil where none has.
    func sentence(ofReadersAmong users: [UserID], in conversation: ConversationID) -> String? {
        let readers = core.readers(of: conversation)
        let names = users.filter(readers.contains).map { contacts[$0].name }.sorted()
        guard let last = names.last else { return nil }
        guard names.count > 1 else { return "\(last) has read your messages" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last) have read your messages"
    }

    /// Why an own message has failed.
    static let failure = "You were removed before anybody received this"

    /// How far an own change to a group has come; nil for somebody else's, and where nobody else is who could have it.
    func deliveryState(of message: SystemMessage, in replica: Replica) -> DeliveryState? {
        guard message.actor == me, let isHeld = core.isHeldElsewhere(message.operation, in: replica) else { return nil }
        return DeliveryState(
            phase: isHeld ? .delivered : .pending, recipients: replica.group.members.count { $0.user != me })
    }

    /// How far an own message has come; nil for somebody else's.
    func deliveryState(of message: OperationLog.Operation, in replica: Replica) -> DeliveryState? {
        guard message.author.user == me else { return nil }
        if core.hasFailed(message, in: replica.id) {
            return DeliveryState(phase: .failed, reason: Self.failure, recipients: 0)
        }
        let receipts = core.receipts(for: message, in: replica.id)
        return DeliveryState(
            phase: DeliveryState.Phase(receipts.phase), recipients: receipts.recipientCount,
            deliveredTo: receipts.delivered.map(Self.receipt), readBy: receipts.read.map(Self.receipt))
    }

    private static func receipt(_ entry: MessageReceipts.Entry) -> DeliveryState.Receipt {
        DeliveryState.Receipt(user: entry.user.description, at: Clock.text(entry.time.milliseconds))
    }
}
