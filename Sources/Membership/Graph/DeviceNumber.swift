/// The number of a device of a person.
struct DeviceNumber: ArrivalNumber {
    private let stored: UInt32

    init(_ place: Int) { stored = UInt32(clamping: place) }

    var place: Int { Int(stored) }
}
