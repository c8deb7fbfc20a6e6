import Cryptography
import OperationLog
import Storage
import Time

/// A header as its row keeps it: without what the columns imply, and with small numbers for the operations that it
/// names.
///
/// The columns imply the type, the conversation, the lane, the device, the sequence number, and where the body is here
/// its digest. Every operation that a header names came before it, and is named by the number of its row. The time is
/// kept as its distance from the hybrid time, which is nearly always none.
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
    ///
    /// - Parameter hybridTime: what the column has.
    mutating func withBytes<Value>(
        of operation: OperationLog.Operation, at hybridTime: Int64, using register: SurrogateKeys, rows: RowNumbers,
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) throws -> Value {
        let header = operation.header
        writer.removeAll()
        if let previous = header.previous { try write(reference: previous, using: register, rows: rows) }
        writer.write(count: header.dependencies.count)
        for dependency in header.dependencies { try write(reference: dependency, using: register, rows: rows) }
        if header.lane == .content {
            writer.write(count: header.membershipHeads.count)
            for head in header.membershipHeads { try write(reference: head, using: register, rows: rows) }
            if let epoch = header.epoch {
                let isNumbered = register.number(of: epoch) != nil
                writer.write(byte: isNumbered ? EpochForm.column : EpochForm.whole)
                if !isNumbered { writer.write(epoch) }
            } else {
                writer.write(byte: EpochForm.none)
            }
        }
        writer.write(difference: header.time.milliseconds - hybridTime)
        writer.write(count: header.bodyLength)
        if operation.body == nil { writer.write(digest: header.bodyDigest) }
        return try writer.bytes.withUnsafeBytes(body)
    }

    /// A number, or 0 and the whole id.
    private mutating func write(reference id: OperationID, using register: SurrogateKeys, rows: RowNumbers) throws {
        if let number = try register.number(of: id) ?? rows.number(of: id) {
            writer.write(number: UInt64(number))
        } else {
            writer.write(number: 0)
            writer.write(id)
        }
    }

    /// The header of a row.
    ///
    /// - Parameters:
    ///   - hybridTime: what the column has.
    ///   - epoch: the number in the column, or nil.
    ///   - body: the body if it is here.
    /// - Throws: ``MalformedBytes`` or ``StoreError`` for a damaged row.
    static func read(
        _ bytes: [UInt8], type: OperationType, conversation: ConversationID, lane: Lane, device: DeviceID,
        sequenceNumber: UInt64, hybridTime: Int64, epoch: Int64?, body: [UInt8]?, using register: SurrogateKeys,
        names: RowNames
    ) throws -> OperationHeader {
        var reader = CanonicalReader(bytes)
        func reference() throws -> OperationID {
            let number = Int64(clamping: try reader.number())
            if number == 0 { return try reader.identifier() }
            return try register.numbered(number) ?? names.id(of: number)
        }
        let previous: OperationID? = sequenceNumber > 1 ? try reference() : nil
        let dependencies = try (0..<reader.count(of: "dependencies", limit: Limits.maximumDependencies, each: 1))
            .map { _ in try reference() }
        var heads: [OperationID] = []
        var named: OperationID?
        if lane == .content {
            for _ in 0..<(try reader.count(of: "membership heads", limit: Limits.maximumDependencies, each: 1)) {
                heads.append(try reference())
            }
            switch try reader.byte() {
            case EpochForm.none: named = nil
            case EpochForm.column: named = try register.operation(epoch ?? 0)
            case EpochForm.whole: named = try reader.identifier()
            default: throw StoreError.corrupted("a stored header is damaged")
            }
        }
        let (milliseconds, isTooLate) = hybridTime.addingReportingOverflow(try reader.difference())
        guard !isTooLate, let time = Timestamp(milliseconds: milliseconds) else {
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
