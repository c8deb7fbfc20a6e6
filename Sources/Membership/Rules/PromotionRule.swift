extension Evaluation {
    /// Nobody grants more than they have, nobody grants founder, and only members are promoted.
    mutating func promotionObjection(
        to record: IndexedOperation, of target: PersonNumber, to role: Role
    ) -> VoidReason<OperationNumber>? {
        guard let authority = record.authority, role <= history.grants[authority].role, role <= .admin else {
            return VoidReason(.grantsTooMuch)
        }
        return strangerObjection(to: target)
    }
}
