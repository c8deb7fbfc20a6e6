extension Evaluation {
    /// An author who uses authority names a grant of their own in the past that suffices, or is the acting admin of the
    /// past.
    ///
    /// Whether that grant still stood is not asked here but settled by rank, in `RevocationRule.swift`: if the author's
    /// own view decided it, they could choose a view in which they were not yet removed.
    mutating func authorityObjection(to record: IndexedOperation) -> VoidReason<OperationNumber>? {
        guard let need = record.action.rules.need, let authority = record.authority else {
            return VoidReason(.grantUnknown)
        }
        let grant = history.grants[authority]
        if record.isActing, actingAdmin() != record.author {
            return VoidReason(.notActingAdmin, by: grantInOffice().map { history.grants[$0].operation })
        }
        guard grant.holder == record.author else { return VoidReason(.grantOfAnother, by: grant.operation) }
        if grant.role >= need { return nil }
        // The one thing that members may be allowed: AdditionRule.swift.
        if case .add = record.action, settingThatLetsEveryMemberAdd() != nil { return nil }
        return VoidReason(.roleTooLow, by: grant.operation)
    }
}
