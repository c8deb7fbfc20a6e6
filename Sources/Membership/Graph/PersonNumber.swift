/// The number of a person whom an operation names.
struct PersonNumber: ArrivalNumber {
    private let stored: UInt32

    init(_ place: Int) { stored = UInt32(clamping: place) }

    var place: Int { Int(stored) }
}
