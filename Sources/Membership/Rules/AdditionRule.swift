extension Evaluation {
    /// The `set` by which every member adds people, so that a grant below moderator suffices for it; nil where none
    /// counts.
    ///
    /// It is asked of the author's past. So if one admin changes the setting while a member adds somebody concurrently,
    /// both operations are effective. A member who hides that they saw the setting revoked can go on adding people
    /// until somebody removes them.
    ///
    /// - Complexity: O(*w*) in the writes that came later.
    mutating func settingThatLetsEveryMemberAdd() -> OperationNumber? {
        for write in history.addSettings.writes where includes(write) && isEffective(write) {
            return history.records[write].letsEveryMemberAdd ? write : nil
        }
        return nil
    }

    /// The setting without which an operation that its own past allows could not be done.
    mutating func settingNeeded(by record: IndexedOperation) -> OperationNumber? {
        guard case .add = record.action, let authority = record.authority, let need = record.action.rules.need,
            history.grants[authority].role < need
        else { return nil }
        return settingThatLetsEveryMemberAdd()
    }

    /// Whether the last write of its past that counts in the whole still lets every member add: a void one that said
    /// the same, or the contrary, changes nothing.
    ///
    /// All who wrote it acted as admins, so their operations rank above whatever a member adds.
    ///
    /// - Complexity: O(*w*) in the writes, as far as they are void.
    func settingLets(_ operation: OperationNumber) -> Step {
        let past = history.records[operation].past
        for write in history.addSettings.writes where past.contains(write) {
            guard let counts = findings.verdicts[write] else { return .needs(write) }
            if counts { return .decided(history.records[write].letsEveryMemberAdd) }
        }
        return .decided(false)
    }

    /// What keeps a member's addition from counting, where the setting does: the write that was to let them, if it is
    /// void; else the last one.
    func objectionOfSetting(to operation: OperationNumber) -> OperationNumber? {
        guard let setting = history.records[operation].pastVerdict.setting,
            case .decided(false) = settingLets(operation)
        else { return nil }
        let past = history.records[operation].past
        return counts(setting) ? history.addSettings.writes.first { past.contains($0) && counts($0) } : setting
    }
}
