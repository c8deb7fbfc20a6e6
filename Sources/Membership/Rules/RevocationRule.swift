extension History {
    /// Whether an effective revocation that reaches the grant an operation acts under voids that operation.
    ///
    /// It does if what it leaves of the grant is less than the operation needs. A revocation by somebody else voids
    /// what it has not seen, written after it or concurrently: this is the strong remove. A self-revocation voids only
    /// what comes after it: a stale phone that leaves must not undo what the laptop did. It voids no join: else an
    /// invited person who hides that they saw the leave of their inviter would be better off.
    func voids(_ revocation: Revocation, _ operation: OperationNumber) -> Bool {
        guard let requiredAuthority = records[operation].requiredAuthority,
            !revocation.floor.suffices(for: requiredAuthority.need)
        else {
            return false
        }
        guard revocation.isOwn else { return !records[revocation.operation].past.contains(operation) }
        return !records[operation].isJoin && records[operation].past.contains(revocation.operation)
    }

    /// Whether a revocation, if it counts, voids an operation.
    func threatens(_ revocation: Revocation, _ operation: OperationNumber) -> Bool {
        guard voids(revocation, operation), let requiredAuthority = records[operation].requiredAuthority else {
            return false
        }
        return reaches(revocation, requiredAuthority.grant)
    }

    /// The operations that an operation voids by revoking something, if it counts.
    ///
    /// - Parameters:
    ///   - isNew: whether nothing in the scope has seen it. Then what its author gives up is left out: it threatens
    ///     only what had seen it.
    ///   - unvisited: those that nothing asked about before threatens.
    ///   - isWanted: what the caller asks of them, which is looked at first; for what it once does not hold it never
    ///     does again.
    func operations(
        threatenedBy operation: OperationNumber, isNew: Bool, among unvisited: inout Unvisited<OperationNumber>,
        where isWanted: (OperationNumber) -> Bool
    ) -> [OperationNumber] {
        revocations(of: operation).filter { !(isNew && $0.isOwn) }.flatMap { revocation in
            unvisited.take(
                of: revocation.target, from: actsOf[revocation.target], while: isWanted,
                where: { threatens(revocation, $0) })
        }
    }
}
