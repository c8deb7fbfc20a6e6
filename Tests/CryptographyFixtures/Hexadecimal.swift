/// Bytes that a fixture writes as hexadecimal digits.
public struct Hexadecimal: Decodable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]

    /// Reads a string of digits; anything else is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let digits = Array(try container.decode(String.self).utf8)
        bytes = try stride(from: 0, to: digits.count, by: 2).map { start in
            let pair = digits[start..<min(start + 2, digits.count)]
            guard pair.count == 2, let byte = UInt8(String(decoding: pair, as: UTF8.self), radix: 16) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no hexadecimal digits")
            }
            return byte
        }
    }
}
