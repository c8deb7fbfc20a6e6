/// What was written on each device, and which of them were revoked.
struct RevokedDevices: Sendable {
    /// What was written on each device.
    private(set) var writtenOn = Table<DeviceNumber, [OperationNumber]>()
    /// For each revocation that follows all its pins, what these stand for: themselves and their pasts.
    private(set) var pinned: [OperationNumber: OperationSet] = [:]
    /// Those revocations of each device that was revoked.
    private(set) var revocations: [DeviceNumber: [OperationNumber]] = [:]
    /// The devices of each person that were revoked.
    private(set) var devicesOf: [PersonNumber: [DeviceNumber]] = [:]

    /// Whether no device was revoked.
    var isEmpty: Bool { revocations.isEmpty }

    /// Notes what was written on a device.
    mutating func note(_ operation: OperationNumber, writtenOn device: DeviceNumber) {
        writtenOn.grow(to: device.advanced(by: 1), with: [])
        writtenOn[device].append(operation)
    }

    /// Notes a revocation of a device of a person.
    mutating func note(
        _ revocation: OperationNumber, of device: DeviceNumber, of person: PersonNumber, pinning pinned: OperationSet
    ) {
        writtenOn.grow(to: device.advanced(by: 1), with: [])
        self.pinned[revocation] = pinned
        if revocations[device] == nil { devicesOf[person, default: []].append(device) }
        revocations[device, default: []].append(revocation)
    }
}
