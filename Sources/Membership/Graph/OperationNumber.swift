/// The number of an operation in the graph of one replica.
struct OperationNumber: ArrivalNumber {
    private let stored: UInt32

    init(_ place: Int) { stored = UInt32(clamping: place) }

    var place: Int { Int(stored) }

    /// What everything else comes after is always the first.
    static var creation: OperationNumber { OperationNumber(0) }

    /// Stands for whatever is not here: no past holds it.
    static var unknown: OperationNumber { OperationNumber(.max) }
}
