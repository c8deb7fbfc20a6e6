extension Evaluation {
    /// A join or decline follows the invite it names, and the invite is for its author.
    ///
    /// The first person to join with a code uses it up, as far as the author of the join can see. Nobody can decline it
    /// for the others. A join that does not follow its invite does not use up the code.
    func answerObjection(to record: IndexedOperation) -> VoidReason<OperationNumber>? {
        guard let invite = record.invite, includes(invite), case .invite(let invited) = history.records[invite].action
        else {
            return VoidReason(.inviteUnknown)
        }
        if let invited { return invited == record.author ? nil : VoidReason(.inviteOfAnother, by: invite) }
        guard record.action == .join else { return VoidReason(.codeDeclined, by: invite) }
        let earlier = (history.joins[invite] ?? []).prefix { $0 < scope.bound }.filter {
            includes($0) && history.records[$0].author != record.author
        }
        return earlier.min { history.isEarlier($0, than: $1) }.map { VoidReason(.inviteUsed, by: $0) }
    }
}
