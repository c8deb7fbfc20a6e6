extension Evaluation {
    /// Nobody grants more than he has, nobody grants founder, and only members are promoted.
    mutating func promotionObjection(to record: Record, of target: Int, to tier: Tier) -> Objection<Int>? {
        guard let authority = record.authority, tier <= history.grants[authority].tier, tier <= .admin else {
            return Objection(.grantsTooMuch)
        }
        return strangerObjection(to: target)
    }
}
