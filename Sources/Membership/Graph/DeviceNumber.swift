/// The number of a device of a person.
struct DeviceNumber: ArrivalNumber {
    let place: Int

    init(_ place: Int) { self.place = place }
}
