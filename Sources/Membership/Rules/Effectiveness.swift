extension History {
    /// What must count for an operation to count: the invite it accepts; else whatever made the grant it acts under.
    /// Where a member adds, ``Evaluation/settingLets(_:)`` says what else.
    func prerequisites(of operation: OperationNumber) -> [OperationNumber] {
        if records[operation].isJoin { return records[operation].invite.map { [$0] } ?? [] }
        guard let requiredAuthority = records[operation].requiredAuthority else { return [] }
        // An acting admin makes the grant by the same operation.
        let maker = grants[requiredAuthority.grant].operation
        return maker == operation ? [] : [maker]
    }

    /// The rule that an operation breaks if what it rests on is void.
    func ruleOfPrerequisites(of operation: OperationNumber) -> Rule {
        records[operation].isJoin ? .inviteVoid : .grantVoid
    }
}
