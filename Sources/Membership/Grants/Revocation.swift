/// What an operation takes away from a person: everything above a floor.
struct Revocation: Hashable, Sendable {
    /// The operation.
    let operation: OperationNumber
    /// From whom.
    let target: PersonNumber
    /// The highest role that survives it.
    let floor: RemainingRole
    /// Whether its author gives up something of their own.
    let isOwn: Bool
}
