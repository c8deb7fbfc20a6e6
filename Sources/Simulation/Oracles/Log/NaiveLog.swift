import Cryptography
import OperationLog

/// The operations of one conversation that a replica claims to hold, and what Protocol.md says about any such set.
///
/// Everything is worked out from the operations alone, each time anew and in the plainest way: this is what the
/// simulator holds the log, the frontier and the shown order of a replica against. It shares no code with them.
package struct NaiveLog: Sendable {
    /// The conversation.
    package let conversation: ConversationID
    /// Group or direct.
    package let root: ConversationRoot
    /// What the replica claims to hold, in the order it was named.
    package let claimed: [Operation]
    /// The operations by name.
    package let operations: [OperationID: Operation]
    /// The operations, each after those of its parents that are here. What leads into a circle is left out.
    package let causalOrder: [Operation]
    /// Each membership operation with everything before it.
    let membershipPasts: [OperationID: Set<OperationID>]

    /// Takes both lanes in any order.
    ///
    /// - Complexity: O(*n* + *m*²), where *m* is the number of membership operations.
    package init(of conversation: ConversationID, root: ConversationRoot, holding claimed: [Operation]) {
        self.conversation = conversation
        self.root = root
        self.claimed = claimed
        let operations = Dictionary(claimed.map { ($0.id, $0) }) { first, _ in first }
        self.operations = operations
        causalOrder = Self.causalOrder(of: operations)
        var pasts: [OperationID: Set<OperationID>] = [:]
        for operation in causalOrder where operation.header.lane == .membership {
            pasts[operation.id] = operation.header.parents.reduce(into: [operation.id]) { past, parent in
                past.formUnion(pasts[parent] ?? [])
            }
        }
        membershipPasts = pasts
    }

    /// The operations of a lane, parents first.
    package func operations(in lane: Lane) -> [Operation] {
        causalOrder.filter { $0.header.lane == lane }
    }

    /// What a content operation's membership heads stand for: themselves and everything before them.
    func membershipPast(of heads: [OperationID]) -> Set<OperationID> {
        heads.reduce(into: []) { $0.formUnion(membershipPasts[$1] ?? []) }
    }

    /// Repeatedly takes what names nothing that is still to come. Ids break ties, so that findings come in the same
    /// order every time.
    private static func causalOrder(of operations: [OperationID: Operation]) -> [Operation] {
        var children: [OperationID: [OperationID]] = [:]
        var waitingFor: [OperationID: Int] = [:]
        for operation in operations.values {
            let before = Set(operation.header.parents + operation.header.membershipHeads)
                .filter { operations[$0] != nil }
            waitingFor[operation.id] = before.count
            for parent in before { children[parent, default: []].append(operation.id) }
        }
        var order: [Operation] = []
        var ready = waitingFor.filter { $0.value == 0 }.map(\.key).sorted()
        while !ready.isEmpty {
            var next: [OperationID] = []
            for id in ready {
                if let operation = operations[id] { order.append(operation) }
                for child in children[id, default: []] {
                    let rest = waitingFor[child, default: 0] - 1
                    waitingFor[child] = rest
                    if rest == 0 { next.append(child) }
                }
            }
            ready = next.sorted()
        }
        return order
    }
}
