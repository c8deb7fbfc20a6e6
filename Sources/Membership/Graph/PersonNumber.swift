/// The number of a person whom an operation names.
struct PersonNumber: ArrivalNumber {
    let place: Int

    init(_ place: Int) { self.place = place }
}
