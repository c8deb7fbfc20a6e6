import PhotoFixtures
import PhotoRendering
import Photos
import Testing

@Suite("Pictures that were made to harm")
struct HostilePictureTests {
    /// A frame of a size, with three colors.
    private static func frame(_ marker: UInt8, width: Int, height: Int) -> [UInt8] {
        let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return JPEGFile.segment(marker, [8] + sides + [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0])
    }

    @Test
    func `are refused by their pixels before there is memory for one`() {
        var png = PNGFile(width: 1, height: 1) { _, _ in .red }
        (png.width, png.height) = (60_000, 60_000)
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: PNGFile.magic + png.header) }
        let jpeg = [0xFF, 0xD8] + Self.frame(0xC0, width: 65_535, height: 65_535)
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: jpeg) }
    }

    @Test
    func `are refused by the length of their file`() {
        var limits = PhotoLimits()
        limits.fileByteCount = 100
        let file = PNGFile(width: 8, height: 8) { _, _ in .red }.encoded
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: file, limits: limits) }
    }

    @Test
    func `are refused when several scans of them would take too much memory`() throws {
        let scan = JPEGFile.segment(0xDA, [3, 1, 0, 2, 0, 3, 0, 0, 0, 0])
        let tables = JPEGFile.segment(0xDB, [0] + Array(repeating: 1, count: 64))
        let file = [0xFF, 0xD8] + tables + Self.frame(0xC2, width: 12_000, height: 10_000) + scan
        var limits = PhotoLimits()
        limits.pixelMemory = 64 * 1_024 * 1_024
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: file, limits: limits) }
    }

    @Test
    func `that have scans without end are broken`() throws {
        let scan = JPEGFile.segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 0, 0])
        let tables = JPEGFile.segment(0xDB, [0] + Array(repeating: 1, count: 64))
        let codes = [0, 1].flatMap {
            JPEGFile.segment(0xC4, [$0, 1] + Array(repeating: 0, count: 15) + [0])
        }
        // One bit for each of the six blocks of a 16 × 16 picture, then padding.
        let file =
            [0xFF, 0xD8] + tables + codes + Self.frame(0xC2, width: 16, height: 16)
            + (0..<2_000).flatMap { _ in scan + [0x03] } + [0xFF, 0xD9]
        #expect(throws: PhotoError.broken) { try PhotoRenderer.photo(of: file) }
    }

    @Test
    func `that are cut anywhere are truncated or broken`() throws {
        let jpeg = try JPEGFile.file(width: 24, height: 24) { x, y in Color(UInt8(x * 9), UInt8(y * 9), 0) }
        let png = PNGFile(width: 9, height: 9) { x, y in Color(UInt8(x * 9), UInt8(y * 9), 0) }.encoded
        // A JPEG may lack its last marker, a PNG its last chunk and the checksum of what it has: the pixels are there.
        for (file, complete) in [(jpeg, jpeg.count - 2), (png, png.count - 16)] {
            for length in 9..<complete - 1 {
                let error = #expect(throws: PhotoError.self, "\(length) bytes") {
                    try PhotoRenderer.photo(of: Array(file.prefix(length)))
                }
                #expect(error == .truncated || error == .broken, "\(length) bytes")
            }
        }
    }

    @Test
    func `whose pixels are damaged are broken`() throws {
        var png = PNGFile(width: 9, height: 9) { _, _ in .red }.encoded
        png[png.count - 40] ^= 1
        #expect(throws: PhotoError.broken) { try PhotoRenderer.photo(of: png) }
        let jpeg = try JPEGFile.file(width: 200, height: 200) { x, y in Color(UInt8(x), UInt8(y), 0) }
        // A marker that means nothing there, in the middle of the pixels.
        let middle = jpeg.count * 2 / 3
        #expect(throws: PhotoError.broken) {
            try PhotoRenderer.photo(of: jpeg[..<middle] + [0xFF, 0xC0] + jpeg[(middle + 2)...])
        }
    }
}
