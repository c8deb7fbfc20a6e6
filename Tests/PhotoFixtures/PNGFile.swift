/// Writes PNG files byte by byte (ISO/IEC 15948), also wrong ones. Nothing in them is compressed.
public struct PNGFile: Sendable {
    /// The width that its header says.
    public var width: Int
    /// The height that its header says.
    public var height: Int
    /// Whether its rows come in the seven passes of Adam7.
    public var isInterlaced = false
    /// Whether its pixels have alpha.
    public var hasAlpha = true
    /// Chunks between the header and the pixels.
    public var chunks: [(type: String, content: [UInt8])] = []
    /// The pixels, by column and row.
    public var pixel: @Sendable (Int, Int) -> Color

    /// Describes a picture.
    public init(width: Int, height: Int, pixel: @escaping @Sendable (Int, Int) -> Color) {
        self.width = width
        self.height = height
        self.pixel = pixel
    }

    /// How every file begins.
    public static let magic: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The header's chunk.
    public var header: [UInt8] {
        Self.chunk(
            "IHDR", Self.number(width) + Self.number(height) + [8, hasAlpha ? 6 : 2, 0, 0, isInterlaced ? 1 : 0])
    }

    /// The file.
    public var encoded: [UInt8] {
        var lines: [UInt8] = []
        let passes = isInterlaced ? Self.adam7 : [(0, 0, 1, 1)]
        for (x0, y0, dx, dy) in passes where x0 < width {
            for y in stride(from: y0, to: height, by: dy) {
                lines.append(0)
                for x in stride(from: x0, to: width, by: dx) {
                    let color = pixel(x, y)
                    lines += [color.red, color.green, color.blue]
                    if hasAlpha { lines.append(color.alpha) }
                }
            }
        }
        return Self.magic + header + chunks.flatMap { Self.chunk($0.type, $0.content) }
            + Self.chunk("IDAT", Self.stored(lines)) + Self.chunk("IEND", [])
    }

    /// Column and row where each pass begins, and its steps.
    private static let adam7 = [
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return number(content.count) + body + number(Int(checksum(of: body)))
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { stream += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            stream += block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + number(Int(high << 16 | low))
    }

    private static let checksums: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { checksums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
