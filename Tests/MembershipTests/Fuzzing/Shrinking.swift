import Membership
import OperationLogFixtures

/// Makes a failing graph small enough to think about.
enum Shrinking {
    /// Takes away operations, each with everything after it, as long as the failure stays.
    static func smallest(
        of operations: [Ledger.Operation], failing: ([Ledger.Operation]) -> Bool
    ) -> [Ledger.Operation] {
        var smallest = operations
        var before: Int
        repeat {
            before = smallest.count
            for operation in smallest.dropFirst().reversed() {
                let rest = without(operation.id, smallest)
                if rest.count < smallest.count, failing(rest) { smallest = rest }
            }
        } while smallest.count < before
        return smallest
    }

    /// The operations without one and everything that comes after it.
    private static func without(_ id: String, _ operations: [Ledger.Operation]) -> [Ledger.Operation] {
        var gone: Set<String> = [id]
        return operations.filter { operation in
            guard !gone.contains(operation.id), gone.isDisjoint(with: operation.parents) else {
                gone.insert(operation.id)
                return false
            }
            return true
        }
    }

    /// The operations in another order that keeps parents first.
    static func reordered(
        _ operations: [Ledger.Operation], using random: inout SplitMix64
    ) -> [Ledger.Operation] {
        var placed: Set<String> = []
        var left = operations.shuffled(using: &random)
        var order: [Ledger.Operation] = []
        while let next = left.firstIndex(where: { $0.parents.allSatisfy(placed.contains) }) {
            placed.insert(left[next].id)
            order.append(left.remove(at: next))
        }
        return order
    }
}
