/// Bytes as letters A to Z and digits 2 to 7 (RFC 4648, section 6), without padding.
///
/// A QR code packs capital letters and digits closer than any other text, and nobody confuses 0 and O, which are not
/// both in it.
package enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Writes bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var bits: UInt16 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt16(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count))]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads what ``encode(_:)`` writes; nil for anything else, also for bits that stand for nothing.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt16 = 0
        var count = 0
        for character in text {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
            case UInt8(ascii: "2")...UInt8(ascii: "7"): digit = character - UInt8(ascii: "2") + 26
            default: return nil
            }
            bits = bits << 5 | UInt16(digit)
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            bits &= 1 << count - 1
        }
        // Five bits or more would be a character too many.
        return count < 5 && bits == 0 ? bytes : nil
    }
}
