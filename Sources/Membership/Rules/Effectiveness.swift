extension Evaluation {
    /// Everything the verdict on an operation rests on: its support and its threats.
    func grounds(of operation: Int) -> [Int] {
        guard history.records[operation].objection == nil else { return [] }
        let support = support(of: operation).map { [$0] } ?? []
        return support + revocations(threatening: operation) + endings(threatening: operation)
            + rivals(threatening: operation)
    }

    /// Why an operation is void, given the verdicts on its grounds.
    func findObjection(to operation: Int) -> Objection<Int>? {
        let record = history.records[operation]
        if let objection = record.objection { return objection }
        if let support = support(of: operation), !counts(support) {
            return Objection(record.deed == .join ? .inviteVoid : .grantVoid, by: support)
        }
        if let revocation = earliest(of: revocations(threatening: operation)) {
            return Objection(.revoked, by: revocation)
        }
        if let ending = earliest(of: endings(threatening: operation)) { return Objection(.inviteEnded, by: ending) }
        return earliest(of: rivals(threatening: operation)).map { Objection(.inviteUsed, by: $0) }
    }

    /// What must count for an operation to count: the invite it accepts, or whatever made the grant it acts under.
    private func support(of operation: Int) -> Int? {
        let record = history.records[operation]
        if record.deed == .join { return record.invite }
        guard let warrant = record.warrant else { return nil }
        // Who acts as acting admin makes the grant by the same operation.
        let maker = history.grants[warrant.grant].operation
        return maker == operation ? nil : maker
    }

    /// Of the operations that count the one to blame, the same on every replica.
    private func earliest(of threats: [Int]) -> Int? {
        threats.filter { counts($0) }.min { history.isEarlier($0, than: $1) }
    }
}
