/// What gives a person a tier: the dot of the OR-sets of participants, moderators and admins.
struct Grant: Hashable, Sendable {
    /// The operation that made it.
    let operation: Int
    /// Who has it.
    let holder: Int
    let rank: Rank

    /// Its place among the grants of its operation.
    var slot: Int { rank.seniority.slot }

    var tier: Tier { rank.tier }
}

/// An operation that takes away what a person was granted, down to a floor.
struct Revocation: Hashable, Sendable {
    /// The operation.
    let operation: Int
    /// The highest level that survives it.
    let floor: Level
    /// The grant it acts under; nil if its author gives up something himself.
    let authority: Int?
    /// Whether its author gives up something himself.
    let isOwn: Bool
}
