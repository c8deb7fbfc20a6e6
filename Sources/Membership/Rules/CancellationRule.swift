extension Evaluation {
    /// An invite is taken back by the person who gave it, or by somebody who outranks the grant it was given under.
    func cancellationObjection(to record: IndexedOperation) -> VoidReason<OperationNumber>? {
        guard let invite = record.invite, includes(invite) else { return VoidReason(.inviteUnknown) }
        if history.records[invite].author == record.author { return nil }
        guard let authority = record.authority, let inviters = history.records[invite].authority,
            history.rank(of: authority) > history.rank(of: inviters)
        else { return VoidReason(.outranked, by: invite) }
        return nil
    }
}
