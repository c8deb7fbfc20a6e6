import PhotoFixtures
import Photos
import Testing

@Suite("The header of a picture")
struct PictureHeaderTests {
    private static let png = PNGFile(width: 40, height: 30) { _, _ in .red }

    @Test
    func `says format and size by the first bytes`() throws {
        let png = try PictureHeader(of: Self.png.encoded)
        #expect(png.format == .png)
        #expect(png.size == PictureSize(width: 40, height: 30))
        #expect(png.orientation == .upright)
        let jpeg = try PictureHeader(of: try JPEGFile.file(width: 40, height: 30) { _, _ in .red })
        #expect(jpeg.format == .jpeg)
        #expect(jpeg.size == PictureSize(width: 40, height: 30))
    }

    @Test(arguments: ["", "GIF89a", "<svg/>", "\u{7F}ELF", "not a picture at all"])
    func `is none in other files`(text: String) {
        #expect(throws: PhotoError.format) { try PictureHeader(of: Array(text.utf8)) }
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func `says how to turn the picture`(orientation: Orientation, littleEndian: Bool) throws {
        let exif = JPEGFile.exif(orientation: orientation.rawValue, littleEndian: littleEndian)
        let jpeg = try JPEGFile.file(width: 8, height: 8) { _, _ in .red }
        #expect(try PictureHeader(of: jpeg.inserting(exif: exif)).orientation == orientation)
        var png = Self.png
        png.chunks = [("tEXt", [1, 2, 3]), ("eXIf", exif)]
        #expect(try PictureHeader(of: png.encoded).orientation == orientation)
    }

    @Test
    func `is upright when its metadata is damaged`() throws {
        let jpeg = try JPEGFile.file(width: 8, height: 8) { _, _ in .red }
        let exif = JPEGFile.exif(orientation: 6)
        for length in 0..<44 {
            let header = try PictureHeader(of: jpeg.inserting(exif: Array(exif.prefix(length))))
            #expect(header.orientation == (length < 32 ? .upright : .turnedLeft), "\(length) bytes")
        }
        #expect(try PictureHeader(of: jpeg.inserting(exif: JPEGFile.exif(orientation: 9))).orientation == .upright)
        // The directory lies far behind the end.
        let lost = exif.prefix(4) + [0xFF, 0xFF, 0xFF, 0xFF] + exif.dropFirst(8)
        #expect(try PictureHeader(of: jpeg.inserting(exif: Array(lost))).orientation == .upright)
    }

    @Test
    func `that ends too early is truncated, wherever it ends`() throws {
        let jpeg = try JPEGFile.file(width: 8, height: 8) { _, _ in .red }
        // All tables stand before the frame, and the frame before the codes: from there on the size is known.
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        for length in 3..<frame + 19 {
            #expect(throws: PhotoError.truncated, "\(length) bytes") {
                try PictureHeader(of: Array(jpeg.prefix(length)))
            }
        }
        for length in 8..<33 - 4 {
            #expect(throws: PhotoError.truncated, "\(length) bytes") {
                try PictureHeader(of: Array(Self.png.encoded.prefix(length)))
            }
        }
    }

    @Test
    func `that contradicts itself is broken`() throws {
        let jpeg = try JPEGFile.file(width: 8, height: 8) { _, _ in .red }
        let other = JPEGFile.segment(0xC0, [8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 1, 0x11, 0])
        #expect(throws: PhotoError.broken) { try PictureHeader(of: jpeg.inserting(segments: other)) }
        let empty = JPEGFile.segment(0xC0, [8, 0, 0, 0, 8, 1, 1, 0x11, 0])
        #expect(throws: PhotoError.broken) { try PictureHeader(of: [0xFF, 0xD8] + empty) }
        #expect(throws: PhotoError.broken) { try PictureHeader(of: [0xFF, 0xD8, 0xFF, 0xD9, 0, 0]) }
        var png = Self.png
        png.width = 0
        #expect(throws: PhotoError.broken) { try PictureHeader(of: png.encoded) }
        png.width = 65_536
        #expect(throws: PhotoError.tooLarge) { try PictureHeader(of: PNGFile.magic + png.header) }
    }
}
