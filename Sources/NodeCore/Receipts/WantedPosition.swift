import OperationLog

/// Where an operation stands whose body has not come.
struct WantedPosition: Sendable {
    let device: DeviceID
    let sequenceNumber: UInt64
}
