/// Writes JSON piece by piece, keys in the order given.
///
/// Foundation's encoder keeps a dictionary of Swift strings in between: it would lose the order, and one of two names
/// that look alike.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// Writes an object; its content is written by the body, one value after each key.
    mutating func object(_ body: (inout JSONWriter) -> Void) {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
        body(&self)
        bytes.append(UInt8(ascii: "}"))
        isFirst = false
    }

    /// Writes the key of the value that comes next.
    mutating func key(_ key: String) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        quote(key)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string, or null.
    mutating func string(_ value: String?) {
        if let value { quote(value) } else { bytes += "null".utf8 }
    }

    /// Writes true or false.
    mutating func boolean(_ value: Bool) {
        bytes += (value ? "true" : "false").utf8
    }

    /// Writes a whole number.
    mutating func number(_ value: Int) {
        bytes += String(value).utf8
    }

    /// Writes a list of strings.
    mutating func list(_ values: [String]) {
        list(values) { $0.quote($1) }
    }

    /// Writes a list, each value as the body writes it.
    mutating func list<Value>(_ values: [Value], _ body: (inout JSONWriter, Value) -> Void) {
        bytes.append(UInt8(ascii: "["))
        for (place, value) in values.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            body(&self, value)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// RFC 8259, section 7: quotation marks, backslashes and the control characters must be escaped, all else stands
    /// for itself.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case ..<0x10: bytes += "\\u000\(String(byte, radix: 16))".utf8
            case ..<0x20: bytes += "\\u00\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
