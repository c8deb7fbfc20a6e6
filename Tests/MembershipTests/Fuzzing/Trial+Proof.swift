import Membership

extension Trial {
    /// An operation on which a replica says something else that holds a part of the graph, and for everything there
    /// what makes it void or keeps it.
    var insufficiency: String? {
        let keepers = resolver.keepers
        var held: Set<Int> = []
        var asked = [Int(seed % UInt64(operations.count))]
        while let next = asked.popLast() {
            guard held.insert(next).inserted else { continue }
            asked += operations.indices.filter { ledger.pasts[next].contains($0) }
            let id = operations[next].id
            let decider = judgment.verdicts[next]?.voidReason?.decidedBy ?? keepers[id]
            asked += [decider.flatMap { ledger.number(of: $0) }].compactMap(\.self)
        }
        let part = Self.resolver(after: held.sorted().map { operations[$0] }, capacity: capacity)
        let void = Set(part.void)
        return held.sorted().first { isEffective($0) == void.contains(operations[$0].id) }
            .map { "a part of the graph with all that decides about it says something else of \(operations[$0].id)" }
    }
}
