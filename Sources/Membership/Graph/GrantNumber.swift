/// The number of a grant. Those that one operation makes follow one another, by slot.
struct GrantNumber: ArrivalNumber {
    private let stored: UInt32

    init(_ place: Int) { stored = UInt32(clamping: place) }

    var place: Int { Int(stored) }
}
