/// What gives a person a role: the dot of the OR-sets of participants, moderators and admins.
struct Grant: Hashable, Sendable {
    /// The operation that made it.
    let operation: OperationNumber
    /// Where that one began: the invite that a join accepts, else the operation itself. What it had seen does not reach
    /// the grant, so an old invite does not outlive a removal.
    let origin: OperationNumber
    /// Who has it.
    let holder: PersonNumber
    let rank: Rank

    /// Its place among the grants of its operation.
    var slot: Int { rank.seniority.slot }

    var role: Role { rank.role }
}
