import OperationLog

/// What took one person out of a group and counts, the earliest first.
///
/// Somebody can take the same person out thousands of times and pin the same content each time. Of those that pin one
/// operation all cover the same: so that is asked once for each message, and not once for each of them.
struct OrderedExits: Sendable {
    /// What pins one operation.
    fileprivate struct Pinned {
        let pin: Pin
        /// Which of the exits do, ascending.
        var exits: [Int]
    }

    /// What pins the content of one device.
    fileprivate struct Device {
        /// The pinned operations, each with what pins it; first what the earliest exit pins.
        var pinned: [Pinned] = []
        /// Where each of them is among these.
        var numbers: [OperationID: Int] = [:]
        /// Which of the exits pin any of it, ascending.
        var exits: [Int] = []
    }

    private let exits: [Exits.Exit]
    private var devices: [DeviceID: Device] = [:]

    /// Takes in what took a person out.
    ///
    /// - Parameter exits: the earliest first.
    /// - Complexity: O(*p*) in the pins.
    init(_ exits: [Exits.Exit]) {
        self.exits = exits
        for (number, exit) in exits.enumerated() {
            for (device, pin) in exit.pins { devices[device, default: Device()].add(pin, of: number) }
        }
    }

    /// The earliest of those that somebody had not seen who wrote with a device, and that leave nothing of what they
    /// wrote.
    ///
    /// - Parameters:
    ///   - isSeen: whether they had seen one of these.
    ///   - isCovered: whether a pin covers what they wrote; asked once for each operation that is pinned.
    /// - Complexity: O(*r*) in those that are seen, or pin the device's content.
    func earliest(
        concerning device: DeviceID, isSeen: (Exits.Exit) -> Bool, isCovered: (Pin) -> Bool
    ) -> Exits.Exit? {
        guard let device = devices[device] else { return exits.first { !isSeen($0) } }
        var pinning = device.exits[...]
        var found = exits.indices.first { number in
            guard pinning.first != number else {
                pinning.removeFirst()
                return false
            }
            return !isSeen(exits[number])
        }
        for pinned in device.pinned {
            let end = found ?? exits.endIndex
            guard pinned.exits.first.map({ $0 < end }) == true else { break }
            let unseen = pinned.exits.first { $0 >= end || !isSeen(exits[$0]) }
            if let unseen, unseen < end, !isCovered(pinned.pin) { found = unseen }
        }
        return found.map { exits[$0] }
    }
}

extension OrderedExits.Device {
    /// Takes in a pin of a later exit.
    fileprivate mutating func add(_ pin: Pin, of exit: Int) {
        exits.append(exit)
        if let number = numbers[pin.operation] {
            pinned[number].exits.append(exit)
        } else {
            numbers[pin.operation] = pinned.count
            pinned.append(OrderedExits.Pinned(pin: pin, exits: [exit]))
        }
    }
}
