/// An entry of the journal: fields, each with a name and a value.
public struct JournalEntry: Hashable, Sendable {
    /// Bytes of a value at most; what is longer is cut, so that an entry fits into a datagram.
    public static let maximumValueLength = 4_096
    /// Fields at most; what more there are is left out.
    public static let maximumFieldCount = 32
    /// Bytes of a name at most, as the journal has it.
    private static let maximumNameLength = 64

    /// The bytes of the entry in the native protocol of the journal (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/).
    public private(set) var bytes: [UInt8] = []
    private var count = 0

    /// Begins an entry.
    ///
    /// - Parameters:
    ///   - message: what people read.
    ///   - priority: that of syslog(3), 0 for the worst to 7.
    ///   - identifier: what the program is called.
    public init(message: String, priority: Int, identifier: String) {
        append("MESSAGE", message)
        append("PRIORITY", "\(priority)")
        append("SYSLOG_IDENTIFIER", identifier)
    }

    /// Adds a field of this program's own: a key like `hb.request-id` becomes `MOOT_HB_REQUEST_ID`.
    public mutating func add(_ key: String, _ value: String) {
        let name = key.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
            default: UInt8(ascii: "_")
            }
        }
        append("MOOT_" + String(decoding: name.prefix(Self.maximumNameLength - 5), as: UTF8.self), value)
    }

    private mutating func append(_ name: String, _ value: String) {
        guard count < Self.maximumFieldCount else { return }
        count += 1
        let value = Self.cut(value)
        bytes += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            // Only so may a value have line breaks: its length comes first, in eight bytes, the lowest first.
            bytes.append(UInt8(ascii: "\n"))
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: value.count >> ($0 * 8)) }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The bytes of a value, cut between two characters of Unicode.
    private static func cut(_ value: String) -> [UInt8] {
        let bytes = Array(value.utf8.prefix(maximumValueLength + 1))
        guard bytes.count > maximumValueLength else { return bytes }
        var end = maximumValueLength
        // The bytes of a character after its first begin with the bits 10.
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }
}
