import Conversations
import OperationLog
import Replication

/// Keeps back what its author took back before anybody had it.
///
/// A body leaves this device in three ways: pushed when it is written, in an answer to who compares, and to who asks for it. Each notes here
/// what it gives away, in the transition that decides to give it. Taking back is such a transition, too, so one of them comes first: what was
/// given away before is not taken back, and what was taken back has no body any more that could be given away.
extension NodeCore {
    /// Whether nobody else has, or is about to have, what this device wrote.
    ///
    /// What an earlier run gave away is known from receipts alone: what was given away in the last moments before a node was killed may count as
    /// withheld. Taking that back deletes it all the same.
    mutating func isWithheld(_ operation: Operation, in conversation: ConversationID) -> Bool {
        operation.author.id == device.id
            && disclosedRanges[conversation]?.contains(operation.header.sequenceNumber) != true
            && receipts(for: operation, in: conversation).phase == .pending
    }

    /// Notes what a peer is given of what this device wrote; what goes without its body is not given.
    mutating func disclose(_ operations: some Sequence<Operation>, of conversation: ConversationID) {
        for operation in operations where operation.author.id == device.id && operation.body != nil {
            let number = operation.header.sequenceNumber
            disclosedRanges[conversation, default: RangeSet()].insert(contentsOf: number..<number + 1)
        }
    }

    /// Of what the deletions among some operations name, that whose author deletes it himself and whose body nobody need have any more:
    /// what this device lacks, and what it wrote and withholds.
    ///
    /// - Parameters:
    ///   - operations: stored or about to be.
    ///   - links: where the deletions lead, as far as they open.
    /// - Complexity: O(*n*) in the operations, and for each deletion of what is lacked a look into the storage.
    mutating func takenBack(
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
                operation.author.user == deletion.author.user,
                isWanted || isWithheld(operation, in: replica.id)
            else { continue }
            taken.insert(target)
        }
        return taken
    }
}
