extension Evaluation {
    /// A join or decline follows the invite it names, and the invite is for its author.
    ///
    /// An invite by code is for whoever joins first, as far as its author can tell. Nobody turns it down for the others. A join that does not
    /// follow its invite uses no code up.
    func answerObjection(to record: Record) -> Objection<Int>? {
        guard let invite = record.invite, includes(invite), case .invite(let invited) = history.records[invite].action
        else {
            return Objection(.inviteUnknown)
        }
        if let invited { return invited == record.author ? nil : Objection(.inviteOfAnother, by: invite) }
        guard record.action == .join else { return Objection(.codeDeclined, by: invite) }
        let earlier = (history.joins[invite] ?? []).prefix { $0 < scope.bound }.filter {
            includes($0) && history.records[$0].author != record.author
        }
        return earlier.min { history.isEarlier($0, than: $1) }.map { Objection(.inviteUsed, by: $0) }
    }
}
