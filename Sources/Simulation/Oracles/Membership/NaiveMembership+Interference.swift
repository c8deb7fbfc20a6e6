extension NaiveMembership {
    /// The verdicts that changed against the rule of non-interference since `before`: an operation can change the
    /// verdict only of operations of lower rank.
    ///
    /// - Parameter before: judged from a part of these operations that holds the parents of all it holds.
    package func interference(since before: NaiveMembership) -> [String] {
        let known = Set(before.operations.map(\.id))
        let arrived = operations.filter { !known.contains($0.id) && void[$0.id] == nil }
        return before.operations.compactMap { operation in
            guard (void[operation.id] == nil) != (before.void[operation.id] == nil) else { return nil }
            let isExplained = arrived.contains { newcomer in
                guard let rank = ranks[operation.id], let greater = ranks[newcomer.id] else { return false }
                return rank < greater
            }
            return isExplained ? nil : "the verdict on \(operation.id) changed, and nothing that arrived outranks it"
        }
    }
}
