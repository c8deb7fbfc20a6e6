extension Evaluation {
    /// A join or decline follows the invite it names, and the invite is for its author.
    func answerObjection(to record: Record) -> Objection<Int>? {
        guard let invite = record.invite, includes(invite), case .invite(let invited) = history.records[invite].deed
        else {
            return Objection(.inviteUnknown)
        }
        return invited == record.author ? nil : Objection(.inviteOfAnother, by: invite)
    }
}
