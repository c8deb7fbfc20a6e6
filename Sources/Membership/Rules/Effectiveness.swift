extension History {
    /// What must count for an operation to count: the invite it accepts; else whatever made the grant it acts under and, where a member adds,
    /// the setting by which they may.
    func prerequisites(of operation: OperationNumber) -> [OperationNumber] {
        if records[operation].isJoin { return records[operation].invite.map { [$0] } ?? [] }
        guard let requiredAuthority = records[operation].requiredAuthority else { return [] }
        // An acting admin makes the grant by the same operation.
        let maker = grants[requiredAuthority.grant].operation
        guard maker != operation else { return [] }
        return records[operation].pastVerdict.setting.map { [maker, $0] } ?? [maker]
    }

    /// The rule that an operation breaks if one of its supports is void.
    func rule(ofPrerequisite support: OperationNumber, of operation: OperationNumber) -> Rule {
        if records[operation].isJoin { return .inviteVoid }
        return records[operation].pastVerdict.setting == support ? .settingVoid : .grantVoid
    }
}
