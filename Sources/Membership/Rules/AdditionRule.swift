extension Evaluation {
    /// The `set` by which every member adds people, so that a grant below moderator suffices for it; nil where none counts.
    ///
    /// So if one admin changes the setting while a member adds somebody concurrently, both operations are effective. A member who hides
    /// that they saw the setting revoked can go on adding people until somebody removes them.
    ///
    /// - Complexity: O(*w*) in the writes that came later.
    mutating func settingThatLetsEveryMemberAdd() -> OperationNumber? {
        for write in history.addSettings where includes(write) && isEffective(write) {
            return history.records[write].action == .set(field: AddSetting.field, value: AddSetting.everyone)
                ? write : nil
        }
        return nil
    }

    /// The setting without which an operation that its own past allows could not be done.
    mutating func settingNeeded(by record: IndexedOperation) -> OperationNumber? {
        guard case .add = record.action, let authority = record.authority, let need = record.action.need,
            history.grants[authority].role < need
        else { return nil }
        return settingThatLetsEveryMemberAdd()
    }
}
