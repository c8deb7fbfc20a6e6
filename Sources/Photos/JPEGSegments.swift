/// The segments of a JPEG before its pixels begin (ITU-T T.81, annex B).
struct JPEGSegments: Sequence, IteratorProtocol {
    /// One segment.
    struct Segment {
        let marker: UInt8
        let content: PictureBytes

        /// Whether it begins a frame, whose size it then says.
        var isFrame: Bool {
            // Between the frames are the tables of Huffman codes, an extension, and arithmetic conditioning.
            (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
        }

        /// The size that a frame says.
        var frameSize: PictureSize? {
            guard let height = content.number(UInt16.self, at: 1), let width = content.number(UInt16.self, at: 3)
            else { return nil }
            return PictureSize(width: Int(width), height: Int(height))
        }
    }

    static let magic: [UInt8] = [0xFF, 0xD8, 0xFF]
    static let startOfScan: UInt8 = 0xDA
    private static let endOfImage: UInt8 = 0xD9

    private let bytes: PictureBytes
    /// Where the bytes go on after what was read.
    private(set) var offset = 2
    /// Whether the bytes end within a segment.
    private(set) var isTruncated = false
    private var isOver = false

    init(_ bytes: PictureBytes) {
        self.bytes = bytes
    }

    /// Up to the first scan, which is the last segment.
    mutating func next() -> Segment? {
        guard !isOver else { return nil }
        // Before a marker there may be any number of these.
        while bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF { offset += 1 }
        guard let first = bytes[offset], let marker = bytes[offset + 1] else { return end(truncated: true) }
        guard first == 0xFF, marker != Self.endOfImage, let length = bytes.number(UInt16.self, at: offset + 2) else {
            return end(truncated: bytes.count < offset + 4)
        }
        guard length >= 2 else { return end(truncated: false) }
        guard let content = bytes.part(from: offset + 4, count: Int(length) - 2) else { return end(truncated: true) }
        offset += 2 + Int(length)
        isOver = marker == Self.startOfScan
        return Segment(marker: marker, content: content)
    }

    private mutating func end(truncated: Bool) -> Segment? {
        isTruncated = truncated
        isOver = true
        return nil
    }
}
