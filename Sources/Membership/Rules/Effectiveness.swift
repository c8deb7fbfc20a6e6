extension History {
    /// What must count for an operation to count: the invite it accepts; else whatever made the grant it acts under and, where a member adds,
    /// the setting by which they may.
    func supports(of operation: Int) -> [Int] {
        if records[operation].isJoin { return records[operation].invite.map { [$0] } ?? [] }
        guard let warrant = records[operation].warrant else { return [] }
        // An acting admin makes the grant by the same operation.
        let maker = grants[warrant.grant].operation
        guard maker != operation else { return [] }
        return records[operation].pastVerdict.setting.map { [maker, $0] } ?? [maker]
    }

    /// The rule that an operation breaks if one of its supports is void.
    func rule(ofSupport support: Int, of operation: Int) -> Rule {
        if records[operation].isJoin { return .inviteVoid }
        return records[operation].pastVerdict.setting == support ? .settingVoid : .grantVoid
    }
}
