import OperationLog

/// A value of private state, of which the write with the greatest stamp counts.
///
/// A device writes once with each stamp. One that lies, and a home that was copied, may write twice: then the write
/// counts whose bytes are greater, so that all devices come to the same. Merging is therefore associative, commutative
/// and idempotent, whatever others sent.
struct PrivateRegister<Value: PrivateValue>: Hashable, Sendable {
    private struct Write: Hashable, Sendable {
        let value: Value
        let stamp: PrivateStamp

        func isBeaten(by other: Write) -> Bool {
            stamp != other.stamp
                ? stamp < other.stamp : value.bytes.lexicographicallyPrecedes(other.value.bytes)
        }
    }

    /// The longest encoding of what comes before a value, in bytes.
    static var maximumStampBytes: Int { 1 + 10 + 32 }

    private var written: Write?

    /// The value, or nil while nothing was written.
    var value: Value? { written?.value }
    /// When it was written.
    var stamp: PrivateStamp? { written?.stamp }

    /// Holds nothing.
    init() {}

    /// Writes a value; the write counts if it beats the one that is there.
    mutating func write(_ value: Value, at stamp: PrivateStamp) {
        let write = Write(value: value, stamp: stamp)
        if written?.isBeaten(by: write) ?? true { written = write }
    }

    /// Takes over another device's register.
    mutating func merge(_ other: PrivateRegister) {
        if let write = other.written { self.write(write.value, at: write.stamp) }
    }

    /// What both registers are together.
    func merging(_ other: PrivateRegister) -> PrivateRegister {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// The same value with another stamp; nothing is written where that is nil.
    func restamping(_ change: (PrivateStamp) -> PrivateStamp?) -> PrivateRegister {
        var changed = PrivateRegister()
        if let written, let stamp = change(written.stamp) { changed.write(written.value, at: stamp) }
        return changed
    }

    /// Writes a zero for what was never written, else a one, when and by which device it was, and what.
    func write(to writer: inout CanonicalWriter) {
        guard let written else { return writer.write(byte: 0) }
        writer.write(byte: 1)
        writer.write(number: written.stamp.time)
        writer.write(written.stamp.device)
        written.value.write(to: &writer)
    }

    /// Reads what ``write(to:)`` writes and nothing else.
    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        guard try Bool.read(from: &reader) else { return }
        guard let stamp = PrivateStamp(time: try reader.number(), device: try reader.identifier()) else {
            throw .invalid(field: "stamp")
        }
        write(try Value.read(from: &reader), at: stamp)
    }
}

extension PrivateValue {
    fileprivate var bytes: [UInt8] {
        var writer = CanonicalWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension Bool: PrivateValue {
    func write(to writer: inout CanonicalWriter) { writer.write(byte: self ? 1 : 0) }

    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> Bool {
        switch try reader.byte() {
        case 0: return false
        case 1: return true
        default: throw .invalid(field: "flag")
        }
    }
}

extension OperationID: PrivateValue {
    func write(to writer: inout CanonicalWriter) { writer.write(self) }

    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> OperationID {
        try reader.identifier()
    }
}

/// What a register of private state can hold: of each value there is one encoding.
protocol PrivateValue: Hashable, Sendable {
    func write(to writer: inout CanonicalWriter)
    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> Self
}
