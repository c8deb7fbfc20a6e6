/// JSON that is harmless even when it is printed to a terminal.
///
/// JSON escapes C0 controls by itself; C1 controls, DEL and what orders bidirectional text may be in it as they are.
/// Outside of strings JSON is ASCII, so each of them can be replaced by its escape without parsing.
enum JSONLine {
    /// Replaces every character that ``TerminalText`` takes out by its `\u` escape, and adds the line break.
    static func sanitized(_ json: [UInt8]) -> [UInt8] {
        var harmless: [UInt8] = []
        harmless.reserveCapacity(json.count + 1)
        var index = 0
        while index < json.count {
            let rest = json[index...].prefix(3)
            switch (rest.first, rest.dropFirst().first, rest.dropFirst(2).first) {
            case (0x7F, _, _):
                harmless += Array("\\u007f".utf8)
                index += 1
            case (0xC2, let low?, _) where (0x80...0x9F).contains(low):
                harmless += escape(UInt16(low))
                index += 2
            case (0xD8, 0x9C, _):
                harmless += escape(0x061C)
                index += 2
            case (0xE2, 0x80, let low?) where (0xA8...0xAE).contains(low) || (0x8E...0x8F).contains(low):
                harmless += escape(0x2000 + UInt16(low & 0x3F))
                index += 3
            case (0xE2, 0x81, let low?) where (0xA6...0xA9).contains(low):
                harmless += escape(0x2040 + UInt16(low & 0x3F))
                index += 3
            default:
                harmless.append(json[index])
                index += 1
            }
        }
        harmless.append(UInt8(ascii: "\n"))
        return harmless
    }

    private static func escape(_ unit: UInt16) -> [UInt8] {
        let digits = String(unit, radix: 16)
        return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
}
