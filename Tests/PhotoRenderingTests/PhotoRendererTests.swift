import Foundation
import OperationLogFixtures
import PhotoFixtures
import PhotoRendering
import Photos
import Testing

@Suite("Making a photo of a picture")
struct PhotoRendererTests {
    /// Four quarters of different colors.
    private static func quarters(width: Int, height: Int) -> @Sendable (Int, Int) -> Color {
        { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): .red
            case (false, true): .green
            case (true, false): .blue
            case (false, false): .white
            }
        }
    }

    @Test
    func `keeps a small picture's size and pixels`() throws {
        let photo = try PhotoRenderer.photo(
            of: PNGFile(width: 64, height: 32, pixel: Self.quarters(width: 64, height: 32)).encoded)
        #expect(photo.picture.size == PictureSize(width: 64, height: 32))
        #expect(photo.thumbnail.size == photo.picture.size)
        for picture in [photo.picture, photo.thumbnail] {
            let pixels = try Pixels(of: picture)
            #expect(pixels[4, 4].isLike(.red))
            #expect(pixels[-5, 4].isLike(.green))
            #expect(pixels[4, -5].isLike(.blue))
            #expect(pixels[-5, -5].isLike(.white))
        }
    }

    /// Where the first pixel of the file and the last of its first row are shown (Exif 2.32, table 6): whether right,
    /// whether below.
    private static let corners: [(Orientation, first: (Bool, Bool), last: (Bool, Bool))] = [
        (.upright, (false, false), (true, false)), (.mirrored, (true, false), (false, false)),
        (.upsideDown, (true, true), (false, true)), (.flipped, (false, true), (true, true)),
        (.transposed, (false, false), (false, true)), (.turnedLeft, (true, false), (true, true)),
        (.transversed, (true, true), (true, false)), (.turnedRight, (false, true), (false, false)),
    ]

    @Test(arguments: 0..<8, [true, false])
    func `turns it as the camera was held`(index: Int, isJPEG: Bool) throws {
        let (orientation, first, last) = Self.corners[index]
        let exif = JPEGFile.exif(orientation: orientation.rawValue)
        var png = PNGFile(width: 64, height: 32, pixel: Self.quarters(width: 64, height: 32))
        png.chunks = [("eXIf", exif)]
        let jpeg = try JPEGFile.file(width: 64, height: 32, pixel: Self.quarters(width: 64, height: 32))
        let photo = try PhotoRenderer.photo(of: isJPEG ? jpeg.inserting(exif: exif) : png.encoded)
        #expect(
            photo.picture.size == PictureSize(width: 64, height: 32).map { orientation.swapsSides ? $0.turned : $0 })
        let pixels = try Pixels(of: photo.picture)
        #expect(pixels[first.0 ? -5 : 4, first.1 ? -5 : 4].isLike(.red))
        #expect(pixels[last.0 ? -5 : 4, last.1 ? -5 : 4].isLike(.green))
    }

    @Test
    func `leaves out everything that is no pixel`() throws {
        let jpeg = try JPEGFile.file(width: 8, height: 8) { _, _ in .red }
            .inserting(exif: JPEGFile.exif(orientation: 1))
            .inserting(segments: JPEGFile.segment(0xFE, Array("at home".utf8)))
        #expect(jpeg.contains(text: "13.4E") && jpeg.contains(text: "at home"))
        var png = PNGFile(width: 8, height: 8) { _, _ in .red }
        png.chunks = [("eXIf", JPEGFile.exif(orientation: 1)), ("tEXt", Array("Comment\0at home".utf8))]
        for file in [jpeg, png.encoded] {
            let photo = try PhotoRenderer.photo(of: file)
            for text in ["Exif", "13.4E", "at home"] {
                #expect(!photo.picture.bytes.contains(text: text))
                #expect(!photo.thumbnail.bytes.contains(text: text))
            }
        }
    }

    @Test
    func `reduces what is too large, and makes a thumbnail of the same shape`() throws {
        var limits = PhotoLimits()
        limits.side = 100
        limits.thumbnailSide = 10
        let pixel = Self.quarters(width: 800, height: 420)
        for file in [
            PNGFile(width: 800, height: 420, pixel: pixel).encoded,
            try JPEGFile.file(width: 800, height: 420, pixel: pixel),
        ] {
            let photo = try PhotoRenderer.photo(of: file, limits: limits)
            #expect(photo.picture.size == PictureSize(width: 100, height: 53))
            #expect(photo.thumbnail.size == PictureSize(width: 10, height: 5))
            let pixels = try Pixels(of: photo.picture)
            #expect(pixels[20, 10].isLike(.red) && pixels[80, 10].isLike(.green))
            #expect(pixels[20, 40].isLike(.blue) && pixels[80, 40].isLike(.white))
        }
    }

    @Test
    func `makes noise coarser until it fits`() throws {
        var random = SplitMix64(seed: 1)
        let values = (0..<200 * 200).map { _ in random.next() }
        let noise = PNGFile(width: 200, height: 200) { x, y in
            let bits = values[y * 200 + x]
            return Color(UInt8(bits & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits >> 16 & 0xFF))
        }.encoded
        let fine = try PhotoRenderer.photo(of: noise).picture.bytes.count
        var limits = PhotoLimits()
        limits.photoByteCount = fine * 2 / 3
        #expect(try PhotoRenderer.photo(of: noise, limits: limits).picture.bytes.count <= limits.photoByteCount)
        limits.photoByteCount = 1_000
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: noise, limits: limits) }
    }

    @Test
    func `puts what shines through on white`() throws {
        let file = PNGFile(width: 32, height: 16) { x, _ in
            x < 16 ? Color(200, 0, 0, alpha: 0) : Color(0, 0, 0, alpha: 128)
        }.encoded
        let pixels = try Pixels(of: try PhotoRenderer.photo(of: file).picture)
        #expect(pixels[4, 8].isLike(.white))
        #expect(pixels[28, 8].isLike(Color(127, 127, 127)))
    }

    @Test(arguments: [true, false])
    func `reads interlaced pictures like others`(hasAlpha: Bool) throws {
        var file = PNGFile(width: 37, height: 21) { x, y in
            Color(UInt8(x * 6), UInt8(y * 12), 40, alpha: UInt8(255 - x))
        }
        file.hasAlpha = hasAlpha
        let plain = try PhotoRenderer.photo(of: file.encoded)
        file.isInterlaced = true
        #expect(try PhotoRenderer.photo(of: file.encoded) == plain)
        var limits = PhotoLimits()
        limits.pixelMemory = 1_000
        #expect(throws: PhotoError.tooLarge) { try PhotoRenderer.photo(of: file.encoded, limits: limits) }
    }

    @Test
    func `reads pictures in several scans`() throws {
        let photo = try PhotoRenderer.photo(of: try Self.fixture("progressive.jpg"))
        #expect(photo.picture.size == PictureSize(width: 20, height: 10))
        #expect(try Pixels(of: photo.picture)[1, 1].isLike(Color(12, 25, 64)))
    }

    @Test
    func `refuses the colors of printers`() throws {
        #expect(throws: PhotoError.format) { try PhotoRenderer.photo(of: try Self.fixture("cmyk.jpg")) }
    }

    private static func fixture(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/pictures")
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }
}
