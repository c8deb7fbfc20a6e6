/// The name of a register that goes through the resolver.
///
/// The resolver keeps registers under Swift strings, and two that are shown alike are one there. A name in ASCII is equal to itself only, so every
/// other byte, and the sign that begins an escape, is written as `%` and two digits.
enum RegisterName {
    /// The register's name for a field; the field itself if it is plain.
    static func of(_ field: String) -> String {
        guard !field.utf8.allSatisfy(isPlain) else { return field }
        var name: [UInt8] = []
        for byte in field.utf8 {
            if isPlain(byte) { name.append(byte) } else { name += [percent, digit(byte >> 4), digit(byte & 15)] }
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The field of a register's name.
    static func field(of name: String) -> String {
        guard name.utf8.contains(percent) else { return name }
        var field: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == percent, let high = rest.popFirst(), let low = rest.popFirst() else {
                field.append(byte)
                continue
            }
            field.append(value(high) << 4 | value(low))
        }
        return String(decoding: field, as: UTF8.self)
    }

    private static let percent = UInt8(ascii: "%")

    private static func isPlain(_ byte: UInt8) -> Bool { byte < 0x80 && byte != percent }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8 {
        digit < UInt8(ascii: "A") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "A") + 10
    }
}
