import OperationLog

/// Where an operation stands whose body has not come.
struct WantedPlace: Sendable {
    let device: DeviceID
    let sequenceNumber: UInt64
}
