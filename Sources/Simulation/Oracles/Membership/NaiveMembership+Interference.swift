extension NaiveMembership {
    /// The verdicts that changed against the rule of non-interference since `before`: an operation can change the
    /// verdict only of operations of lower rank. The revocation of a device changes what was written on it, and what
    /// rests on that.
    ///
    /// - Parameter before: judged from a part of these operations that holds the parents of all it holds.
    package func interference(since before: NaiveMembership) -> [String] {
        let known = Set(before.operations.map(\.id))
        let arrived = operations.filter { !known.contains($0.id) && void[$0.id] == nil }
        let changed = before.operations.filter { (void[$0.id] == nil) != (before.void[$0.id] == nil) }
        return changed.compactMap { operation in
            if isExplained(operation, byDevicesRevokedIn: arrived, among: changed) { return nil }
            let isExplained = arrived.contains { newcomer in
                guard let rank = ranks[operation.id], let greater = ranks[newcomer.id] else { return false }
                return rank < greater
            }
            return isExplained ? nil : "the verdict on \(operation.id) changed, and nothing that arrived outranks it"
        }
    }

    /// Whether a device that wrote an operation was revoked, or one that wrote what the operation rests on.
    private func isExplained(
        _ operation: NaiveOperation<ID, Person>, byDevicesRevokedIn arrived: [NaiveOperation<ID, Person>],
        among changed: [NaiveOperation<ID, Person>]
    ) -> Bool {
        let revoked = arrived.compactMap { newcomer -> (Person, [UInt8])? in
            guard case .revoke(let person, let device, _) = newcomer.action else { return nil }
            return (person, device)
        }
        guard !revoked.isEmpty else { return false }
        if revoked.contains(where: { $0 == operation.author && $1 == operation.device }) { return true }
        return changed.contains { other in
            if other.author == operation.author, other.action.isSelfOperation || other.action.isDecline { return true }
            if case .grant(other.id, _)? = operation.action.authority { return true }
            guard let rank = ranks[operation.id], let greater = ranks[other.id] else { return false }
            return rank < greater
        }
    }
}
