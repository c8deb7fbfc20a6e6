import OperationLog

/// A header without what the columns of its row imply: its first 70 bytes, which name the type, the conversation, the lane and the
/// device.
struct StoredHeader {
    private var writer = CanonicalWriter(capacity: 1_024)

    /// The bytes to store: those that follow the device.
    mutating func withRest<Value>(
        of header: OperationHeader, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        writer.removeAll()
        header.encodeRest(into: &writer)
        return try writer.bytes.withUnsafeBytes(body)
    }

    /// The header as it was signed.
    mutating func whole(
        type: OperationType, conversation: ConversationID, lane: Lane, device: DeviceID, rest: UnsafeRawBufferPointer
    ) -> [UInt8] {
        writer.removeAll()
        writeStart(type: type, conversation: type == .create ? nil : conversation, lane: lane, device: device)
        return writer.bytes + rest
    }

    private mutating func writeStart(
        type: OperationType, conversation: ConversationID?, lane: Lane, device: DeviceID
    ) {
        writer.write(number: OperationHeader.version)
        writer.write(number: type.rawValue)
        if let conversation {
            writer.write(byte: 1)
            writer.write(conversation)
        } else {
            writer.write(byte: 0)
        }
        writer.write(byte: lane.rawValue)
        writer.write(device)
    }
}
