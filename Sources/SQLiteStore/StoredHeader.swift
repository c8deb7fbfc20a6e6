import Cryptography
import OperationLog

/// A header without what the columns of its row imply: its first 70 bytes, which name the type, the conversation, the lane and the
/// device, and where the body is here its last 32, the body's digest.
struct StoredHeader {
    private var writer = CanonicalWriter(capacity: 1_024)

    /// The bytes to store: those that follow the device, up to the digest if the body is stored beside them.
    mutating func withRest<Value>(
        of operation: OperationLog.Operation, _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        writer.removeAll()
        operation.header.encodeRest(into: &writer)
        let implied = operation.body == nil ? 0 : Digest.byteCount
        return try writer.bytes.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes.dropLast(implied)))
        }
    }

    /// The header as it was signed.
    mutating func whole(
        type: OperationType, conversation: ConversationID, lane: Lane, device: DeviceID, rest: UnsafeRawBufferPointer,
        body: [UInt8]?
    ) -> [UInt8] {
        writer.removeAll()
        writeStart(type: type, conversation: type == .create ? nil : conversation, lane: lane, device: device)
        var whole = writer.bytes + rest
        if let body { Operation.digest(of: body).withUnsafeBytes { whole.append(contentsOf: $0) } }
        return whole
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
