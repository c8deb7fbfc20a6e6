import PhotoFixtures
import PhotoRendering
import Photos
import Testing

@Suite("The answer of the process that reads pictures")
struct PhotoResponseTests {
    private static let limits = PhotoLimits()

    private static func photo() throws -> Photo {
        try PhotoRenderer.photo(
            of: PNGFile(width: 300, height: 20) { x, y in Color(UInt8(x % 256), UInt8(y), 9) }.encoded)
    }

    @Test
    func `comes back as it was written`() throws {
        let answer = PhotoResponse(.success(try Self.photo()))
        #expect(PhotoResponse(decoding: answer.encoded, limits: Self.limits) == answer)
        for error in PhotoError.allCases {
            let answer = PhotoResponse(.failure(error))
            #expect(answer.encoded.count == 1)
            #expect(PhotoResponse(decoding: answer.encoded, limits: Self.limits) == answer)
        }
    }

    @Test
    func `is refused when it is cut, longer, or an unknown refusal`() throws {
        let bytes = PhotoResponse(.success(try Self.photo())).encoded
        for length in bytes.indices {
            #expect(PhotoResponse(decoding: Array(bytes.prefix(length)), limits: Self.limits) == nil)
        }
        #expect(PhotoResponse(decoding: bytes + [0], limits: Self.limits) == nil)
        #expect(PhotoResponse(decoding: [UInt8(PhotoError.allCases.count + 1)], limits: Self.limits) == nil)
        #expect(PhotoResponse(decoding: [PhotoError.broken.rawValue, 0], limits: Self.limits) == nil)
    }

    @Test
    func `is refused when it claims what is not so`() throws {
        let bytes = PhotoResponse(.success(try Self.photo())).encoded
        for index in 1..<17 {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << bit
                #expect(PhotoResponse(decoding: changed, limits: Self.limits) == nil, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test
    func `is refused when it is larger than was agreed`() throws {
        let bytes = PhotoResponse(.success(try Self.photo())).encoded
        for limit in [\PhotoLimits.side, \.photoByteCount, \.thumbnailByteCount, \.thumbnailSide] {
            var limits = Self.limits
            limits[keyPath: limit] = 100
            #expect(PhotoResponse(decoding: bytes, limits: limits) == nil)
        }
    }
}

@Suite("A picture that was looked through")
struct EncodedPictureTests {
    @Test
    func `holds nothing but a picture of the size that is said`() throws {
        let size = try #require(PictureSize(width: 16, height: 8))
        let bytes = try JPEGFile.file(width: 16, height: 8) { x, _ in x < 8 ? .red : .green }
        #expect(EncodedPicture(size: size, bytes: bytes) != nil)
        #expect(EncodedPicture(size: size.turned, bytes: bytes) == nil)
        for length in bytes.indices { #expect(EncodedPicture(size: size, bytes: Array(bytes.prefix(length))) == nil) }
        let more: [(String, [UInt8])] = [
            ("metadata of a camera", bytes.inserting(exif: JPEGFile.exif(orientation: 1))),
            ("a comment", bytes.inserting(segments: JPEGFile.segment(0xFE, Array("at home".utf8)))),
            ("a profile", bytes.inserting(segments: JPEGFile.segment(0xE2, Array("ICC_PROFILE\0".utf8)))),
            ("a thumbnail", bytes.inserting(segments: JPEGFile.segment(0xE0, Array("JFXX\0".utf8)))),
            ("a second picture", bytes + bytes),
            ("bytes after the end", bytes + [0xFF, 0xD9]),
            ("a segment after the pixels", bytes.dropLast(2) + JPEGFile.segment(0xFE, [1]) + [0xFF, 0xD9]),
            ("no JPEG", PNGFile(width: 16, height: 8) { _, _ in .red }.encoded),
        ]
        for (what, bytes) in more { #expect(EncodedPicture(size: size, bytes: bytes) == nil, "\(what)") }
    }
}
