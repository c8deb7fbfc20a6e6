extension Evaluation {
    /// Whether a setting lets every member add people, so that a grant below moderator suffices for it.
    ///
    /// As with the acting admin, the state of the author's own past is asked. So two who change the setting and add beside each other both
    /// have their way, and a member who hides that he saw the setting go can add on until he is removed: like every authority, it ends with
    /// a removal.
    ///
    /// - Complexity: O(*w*) in how often that was set.
    mutating func letsEveryMemberAdd() -> Bool {
        var last: Int?
        for write in history.addSettings where includes(write) && isEffective(write) {
            if let other = last, history.stamp(of: write) < history.stamp(of: other) { continue }
            last = write
        }
        return last.map { history.records[$0].deed == .set(field: AddSetting.field, value: AddSetting.everyone) }
            ?? false
    }
}
