/// The number of an operation in the graph of one replica.
struct OperationNumber: ArrivalNumber {
    let place: Int

    init(_ place: Int) { self.place = place }

    /// What everything else comes after is always the first.
    static var creation: OperationNumber { OperationNumber(0) }

    /// Stands for whatever is not here: no past holds it.
    static var unknown: OperationNumber { OperationNumber(.max) }
}
