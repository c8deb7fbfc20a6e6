/// JSON written straight to bytes.
///
/// Foundation's encoder makes a tree of every value first, which takes longer than all else of an export.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// Writes punctuation as it is.
    mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
        needsComma = false
    }

    /// Writes an object.
    mutating func object(_ name: StaticString? = nil, _ fields: (inout JSONText) -> Void) {
        begin(name)
        raw("{")
        fields(&self)
        raw("}")
        needsComma = true
    }

    /// Writes a list.
    mutating func array<Values: Sequence>(
        _ name: StaticString, of values: Values, _ write: (inout JSONText, Values.Element) -> Void
    ) {
        begin(name)
        raw("[")
        for value in values { write(&self, value) }
        raw("]")
        needsComma = true
    }

    /// Writes a list of strings.
    mutating func strings(_ name: StaticString, _ values: [String]) {
        array(name, of: values) { json, value in
            json.begin(nil)
            json.write(value)
        }
    }

    /// Writes a string; nothing for nil.
    mutating func field(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        begin(name)
        write(value)
    }

    /// Writes a number.
    mutating func field(_ name: StaticString, _ value: Int) {
        begin(name)
        bytes.append(contentsOf: "\(value)".utf8)
        needsComma = true
    }

    /// Writes true or false.
    mutating func field(_ name: StaticString, _ value: Bool) {
        begin(name)
        raw(value ? "true" : "false")
        needsComma = true
    }

    private mutating func begin(_ name: StaticString?) {
        if needsComma { raw(",") }
        needsComma = false
        guard let name else { return }
        raw("\"")
        raw(name)
        raw("\":")
    }

    /// A string in quotes. What a terminal or the bidirectional algorithm would take for an order is escaped, too.
    private mutating func write(_ value: String) {
        let isPlain = value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        bytes.append(UInt8(ascii: "\""))
        if isPlain {
            bytes.append(contentsOf: value.utf8)
        } else {
            bytes.append(contentsOf: JSONLine.sanitized(Self.escaped(value)).dropLast())
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private static func escaped(_ value: String) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(value.utf8.count + 16)
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): escaped += Array("\\n".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                escaped += Array("\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            default: escaped.append(byte)
            }
        }
        return escaped
    }
}
