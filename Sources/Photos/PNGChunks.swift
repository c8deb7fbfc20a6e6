/// The chunks of a PNG before its pixels begin (ISO/IEC 15948, clause 5).
struct PNGChunks: Sequence, IteratorProtocol {
    /// One chunk, without its checksum.
    struct Chunk {
        let type: UInt32
        let content: PictureBytes
    }

    static let magic: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    static let header: UInt32 = 0x4948_4452  // IHDR
    static let exif: UInt32 = 0x6558_4966  // eXIf
    private static let pixels: UInt32 = 0x4944_4154  // IDAT

    private let bytes: PictureBytes
    private var offset = magic.count

    init(_ bytes: PictureBytes) {
        self.bytes = bytes
    }

    /// Up to the pixels, or to where the bytes end.
    mutating func next() -> Chunk? {
        guard let length = bytes.number(UInt32.self, at: offset), let type = bytes.number(UInt32.self, at: offset + 4),
            type != Self.pixels, let content = bytes.part(from: offset + 8, count: Int(length))
        else { return nil }
        offset += 12 + Int(length)
        return Chunk(type: type, content: content)
    }
}
