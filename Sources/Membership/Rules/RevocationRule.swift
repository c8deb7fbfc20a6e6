extension History {
    /// Whether an effective revocation that reaches the grant an operation acts under voids that operation.
    ///
    /// It does if what it leaves of the grant is less than the operation needs. A revocation by somebody else voids what it has not seen,
    /// written after it or concurrently: this is the strong remove. A self-revocation voids only what comes after it: a stale phone that
    /// leaves must not undo what the laptop did. It voids no join: else an invited person who hides that they saw the leave of their
    /// inviter would be better off.
    func voids(_ revocation: Revocation, _ operation: OperationNumber) -> Bool {
        guard let requiredAuthority = records[operation].requiredAuthority,
            !revocation.floor.suffices(for: requiredAuthority.need)
        else {
            return false
        }
        guard revocation.isOwn else { return !records[revocation.operation].past.contains(operation) }
        return !records[operation].isJoin && records[operation].past.contains(revocation.operation)
    }

    /// The operations that an operation voids by revoking something, if it counts.
    ///
    /// - Parameters:
    ///   - isNew: whether nothing in the scope has seen it. Then what its author gives up is left out: it threatens only what had seen it.
    ///   - isWanted: what the caller asks of them, which is looked at first.
    func forEachOperation(
        threatenedBy operation: OperationNumber, isNew: Bool, among isWanted: (OperationNumber) -> Bool = { _ in true },
        _ body: (OperationNumber) -> Void
    ) {
        for revocation in revocations(of: operation) where !(isNew && revocation.isOwn) {
            for act in actsOf[revocation.target] where isWanted(act) {
                guard let requiredAuthority = records[act].requiredAuthority, voids(revocation, act),
                    reaches(revocation, requiredAuthority.grant)
                else { continue }
                body(act)
            }
        }
    }
}
