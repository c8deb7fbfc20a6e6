extension Evaluation {
    /// The `set` by which every member adds people, so that a grant below moderator suffices for it; nil where none counts.
    ///
    /// As with the acting admin, the state of the author's own past is asked. So two who change the setting and add concurrently both
    /// have their way, and a member who hides that they saw the setting go can add on until somebody removes them. But what they add rests
    /// on that `set`: if a demoted admin wrote it on old heads, it lends nothing. An admin wrote it, so it ranks strictly higher.
    ///
    /// - Complexity: O(*w*) in the writes that came later.
    mutating func settingThatLetsEveryMemberAdd() -> Int? {
        for write in history.addSettings where includes(write) && isEffective(write) {
            return history.records[write].action == .set(field: AddSetting.field, value: AddSetting.everyone)
                ? write : nil
        }
        return nil
    }

    /// The setting without which an operation that its own past allows could not be done.
    mutating func settingNeeded(by record: Record) -> Int? {
        guard case .add = record.action, let authority = record.authority, let need = record.action.need,
            history.grants[authority].role < need
        else { return nil }
        return settingThatLetsEveryMemberAdd()
    }
}
