/// A JPEG of known size that tells nothing but its pixels: whoever holds one knows that it was looked through.
public struct EncodedPicture: Hashable, Sendable {
    /// Its size.
    public let size: PictureSize
    /// The file.
    public let bytes: [UInt8]

    /// Looks through a file.
    ///
    /// - Returns: nil unless it is a baseline JPEG of this size with one scan and nothing that is no part of the
    ///   picture.
    public init?(size: PictureSize, bytes: [UInt8]) {
        let file = PictureBytes(bytes[...])
        guard file.starts(with: JPEGSegments.magic), bytes.suffix(2) == [0xFF, 0xD9] else { return nil }
        var hasFrame = false
        var hasScan = false
        var segments = JPEGSegments(file)
        while let segment = segments.next() {
            switch segment.marker {
            case 0xC0:
                guard !hasFrame, segment.frameSize == size else { return nil }
                hasFrame = true
            case Self.jfif:
                // Version, density, and a thumbnail of no pixels.
                guard segment.content.count == 14, segment.content.starts(with: [0x4A, 0x46, 0x49, 0x46, 0]) else {
                    return nil
                }
            case Self.huffmanTables, Self.quantizationTables:
                break
            case JPEGSegments.startOfScan:
                hasScan = true
            default:
                return nil
            }
        }
        guard hasFrame, hasScan, Self.areOnlyPixels(bytes[segments.offset...].dropLast(2)) else { return nil }
        self.size = size
        self.bytes = bytes
    }

    /// Whether nothing begins between the pixels: a byte 0xFF of theirs is followed by a 0.
    private static func areOnlyPixels(_ bytes: ArraySlice<UInt8>) -> Bool {
        var isMarked = false
        for byte in bytes {
            guard !isMarked || byte == 0 else { return false }
            isMarked = byte == 0xFF
        }
        return !isMarked
    }

    private static let jfif: UInt8 = 0xE0
    private static let huffmanTables: UInt8 = 0xC4
    private static let quantizationTables: UInt8 = 0xDB
}
