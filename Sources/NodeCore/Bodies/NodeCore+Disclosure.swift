import Conversations
import OperationLog
import Replication
import Storage

/// Knows which bodies this device has disclosed, so that one which its author deletes before that is never disclosed.
///
/// A body leaves this device in three ways: pushed when it is written, in an answer to a comparison, and to a device
/// that asks for it. Each notes here what it discloses, in the transition that decides to do so. A retraction is a
/// transition, too, so one of them comes first: what was disclosed before is not retracted, and what was retracted has
/// no body any more that could be disclosed.
extension NodeCore {
    /// Whether nobody else has, or is about to have, what this device wrote.
    ///
    /// What an earlier run disclosed is known from receipts alone: what was disclosed in the last moments before a node
    /// was killed may count as undisclosed. Retracting that deletes it all the same.
    mutating func isUndisclosed(_ operation: Operation, in conversation: ConversationID) -> Bool {
        operation.author.id == device.id
            && !receiptExchange.isDisclosed(operation, in: conversation)
            && receipts(for: operation, in: conversation).phase == .pending
    }

    /// Notes what is disclosed to a peer of what this device wrote; what goes without its body is not.
    mutating func disclose(_ operations: some Sequence<Operation>, of conversation: ConversationID) {
        for operation in operations where operation.author.id == device.id && operation.body != nil {
            receiptExchange.noteDisclosure(of: operation, in: conversation)
        }
    }

    /// The messages whose bodies nobody needs any more: their own author deletes them, and this device either still
    /// lacks the body, or wrote it and has not disclosed it.
    ///
    /// - Parameters:
    ///   - operations: stored or about to be.
    ///   - links: where the deletions lead, as far as they open.
    /// - Complexity: O(*n*) in the operations, and for each deletion of what is lacked a look into the storage.
    mutating func retracted(
        by operations: [Operation], leading links: [OperationID: AnnotationLink], in replica: Replica
    ) -> Set<OperationID> {
        var taken: Set<OperationID> = []
        // What was written and deleted while this device was away comes in one batch.
        lazy var alongside = Dictionary(operations.map { ($0.id, $0) }) { first, _ in first }
        for deletion in operations where deletion.header.type == .delete {
            guard case .message(let target)? = links[deletion.id] else { continue }
            let isWanted = replica.wanted.contains(target)
            guard isWanted || deletion.author.id == device.id,
                let operation = alongside[target] ?? (try? storage.operation(target, of: replica.id)),
                [.message, .edit, .file].contains(operation.header.type),
                operation.author.user == deletion.author.user,
                isWanted || isUndisclosed(operation, in: replica.id)
            else { continue }
            taken.insert(target)
        }
        return taken
    }
}
