import PhotoRendering
import Photos

/// Makes JPEG files, and changes them byte by byte.
public enum JPEGFile {
    /// A JPEG of these pixels.
    public static func file(
        width: Int, height: Int, pixel: @escaping @Sendable (Int, Int) -> Color
    ) throws(PhotoError) -> [UInt8] {
        try PhotoRenderer.photo(of: PNGFile(width: width, height: height, pixel: pixel).encoded).picture.bytes
    }

    /// A segment.
    public static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    /// Exif metadata with an orientation, among things that are nobody's business.
    public static func exif(orientation: UInt16, littleEndian: Bool = true) -> [UInt8] {
        func number(_ value: Int, bytes: Int) -> [UInt8] {
            let number = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return littleEndian ? number : number.reversed()
        }
        func entry(_ tag: Int, type: Int, count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, bytes: 2) + number(type, bytes: 2) + number(count, bytes: 4) + value
        }
        let place = Array("52.5N 13.4E".utf8)
        return (littleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, bytes: 2) + number(8, bytes: 4)
            + number(2, bytes: 2) + entry(0x010E, type: 2, count: place.count, number(38, bytes: 4))
            + entry(0x0112, type: 3, count: 1, number(Int(orientation), bytes: 2) + [0, 0]) + number(0, bytes: 4)
            + place
    }
}

extension [UInt8] {
    /// The JPEG with segments after its beginning.
    public func inserting(segments: [UInt8]) -> [UInt8] { prefix(2) + segments + dropFirst(2) }

    /// The JPEG with Exif metadata.
    public func inserting(exif: [UInt8]) -> [UInt8] {
        inserting(segments: JPEGFile.segment(0xE1, Array("Exif\0\0".utf8) + exif))
    }

    /// Whether a text stands in it.
    public func contains(text: String) -> Bool {
        let text = Array(text.utf8)
        return indices.contains { self[$0...].starts(with: text) }
    }
}
