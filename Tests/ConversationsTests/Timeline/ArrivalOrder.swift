import OperationLog
import OperationLogFixtures

extension [Operation] {
    /// Some order in which they could come: each after its parents.
    func inArrivalOrder(using random: inout SplitMix64) -> [Operation] {
        var waiting = shuffled(using: &random)
        var known: Set<OperationID> = []
        var order: [Operation] = []
        while let next = waiting.firstIndex(where: { known.isSuperset(of: $0.header.parents) }) {
            known.insert(waiting[next].id)
            order.append(waiting.remove(at: next))
        }
        return order
    }
}
