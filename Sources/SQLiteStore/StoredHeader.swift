import Cryptography
import OperationLog
import Storage
import Time

/// A header as its row keeps it: without what the columns imply, and with small numbers for the operations that many headers name.
///
/// The columns imply the type, the conversation, the lane, the device, and where the body is here its digest. Membership heads and
/// epochs are named by the place of their own row.
struct StoredHeader {
    private var writer = CanonicalWriter(capacity: 1_024)

    /// How a header names its epoch.
    private enum EpochForm {
        static let none: UInt8 = 0
        /// The column has its number.
        static let column: UInt8 = 1
        /// What it names is no epoch, so it has no number.
        static let whole: UInt8 = 2
    }

    /// The bytes to store next to the columns.
    mutating func withBytes<Value>(
        of operation: OperationLog.Operation, using register: SurrogateKeys,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        let header = operation.header
        writer.removeAll()
        writer.write(number: header.sequenceNumber)
        if let previous = header.previous { writer.write(previous) }
        writer.write(ascending: header.dependencies)
        if header.lane == .content {
            writer.write(count: header.membershipHeads.count)
            for head in header.membershipHeads { write(reference: head, using: register) }
            if let epoch = header.epoch {
                let isNumbered = register.number(of: epoch) != nil
                writer.write(byte: isNumbered ? EpochForm.column : EpochForm.whole)
                if !isNumbered { writer.write(epoch) }
            } else {
                writer.write(byte: EpochForm.none)
            }
        }
        writer.write(number: UInt64(header.time.milliseconds))
        writer.write(count: header.bodyLength)
        if operation.body == nil { writer.write(digest: header.bodyDigest) }
        return try writer.bytes.withUnsafeBytes(body)
    }

    /// A number, or 0 and the whole id.
    private mutating func write(reference id: OperationID, using register: SurrogateKeys) {
        if let number = register.number(of: id) {
            writer.write(number: UInt64(number))
        } else {
            writer.write(number: 0)
            writer.write(id)
        }
    }

    /// The header of a row.
    ///
    /// - Parameters:
    ///   - epoch: the number in the column, or nil.
    ///   - body: the body if it is here.
    /// - Throws: ``MalformedBytes`` or ``StoreError`` for a damaged row.
    static func read(
        _ bytes: [UInt8], type: OperationType, conversation: ConversationID, lane: Lane, device: DeviceID,
        epoch: Int64?, body: [UInt8]?, using register: SurrogateKeys
    ) throws -> OperationHeader {
        var reader = CanonicalReader(bytes)
        let sequenceNumber = try reader.number()
        let previous: OperationID? = sequenceNumber > 1 ? try reader.identifier() : nil
        let dependencies: [OperationID] = try reader.ascending(of: "dependencies", limit: Limits.maximumDependencies)
        var heads: [OperationID] = []
        var named: OperationID?
        if lane == .content {
            for _ in 0..<(try reader.count(of: "membership heads", limit: Limits.maximumDependencies, each: 1)) {
                let number = Int64(clamping: try reader.number())
                heads.append(number == 0 ? try reader.identifier() : try register.operation(number))
            }
            switch try reader.byte() {
            case EpochForm.none: named = nil
            case EpochForm.column: named = try register.operation(epoch ?? 0)
            case EpochForm.whole: named = try reader.identifier()
            default: throw StoreError.corrupted("a stored header is damaged")
            }
        }
        guard let time = Timestamp(milliseconds: Int64(clamping: try reader.number())) else {
            throw StoreError.corrupted("a stored header has no time")
        }
        let length = try reader.count(of: "body length", limit: Limits.maximumBodyBytes)
        let digest = try body.map(Operation.digest) ?? reader.digest()
        try reader.finish()
        return OperationHeader(
            type: type, conversation: type == .create ? nil : conversation, lane: lane, device: device,
            sequenceNumber: sequenceNumber, previous: previous, dependencies: dependencies, membershipHeads: heads,
            epoch: named, time: time, bodyLength: length, bodyDigest: digest)
    }
}
