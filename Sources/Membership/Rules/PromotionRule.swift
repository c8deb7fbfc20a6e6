extension Evaluation {
    /// Nobody grants more than they have, nobody grants founder, and only members are promoted.
    mutating func promotionObjection(to record: Record, of target: Int, to role: Role) -> Objection<Int>? {
        guard let authority = record.authority, role <= history.grants[authority].role, role <= .admin else {
            return Objection(.grantsTooMuch)
        }
        return strangerObjection(to: target)
    }
}
