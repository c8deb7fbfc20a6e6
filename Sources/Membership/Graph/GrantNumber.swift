/// The number of a grant. Those that one operation makes follow one another, by slot.
struct GrantNumber: ArrivalNumber {
    let place: Int

    init(_ place: Int) { self.place = place }
}
