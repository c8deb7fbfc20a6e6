import PhotoFixtures
import PhotoRendering
import Photos

extension Example {
    static func pictures() throws(PhotoError) -> [Example] {
        var png = PNGFile(width: 12, height: 7) { x, y in
            Color(UInt8(x * 12), UInt8(y * 28), 99, alpha: UInt8(255 - x))
        }
        let plain = png.encoded
        let jpeg = try JPEGFile.file(width: 20, height: 9, pixel: png.pixel)
        let turned = jpeg.inserting(exif: JPEGFile.exif(orientation: 6, littleEndian: false))
        png.isInterlaced = true
        png.chunks = [("eXIf", JPEGFile.exif(orientation: 3))]
        var bomb = png
        (bomb.width, bomb.height) = (60_000, 60_000)
        return [
            accepted(.picture, "png", plain),
            accepted(.picture, "interlaced-png", png.encoded),
            accepted(.picture, "jpeg", jpeg),
            accepted(.picture, "turned-jpeg", turned),
            refused(.picture, "photo_format", "nothing", []),
            refused(.picture, "photo_format", "gif", Array("GIF89a".utf8)),
            refused(.picture, "photo_truncated", "png-without-end", plain.dropLast(60)),
            refused(.picture, "photo_truncated", "jpeg-without-end", jpeg.dropLast(20)),
            refused(
                .picture, "photo_broken", "png-with-a-changed-pixel", plain.replacing(60..<61, with: [plain[60] ^ 1])),
            refused(.picture, "photo_too_large", "bomb", PNGFile.magic + bomb.header),
        ]
    }

    static func photoAnswers() throws(PhotoError) -> [Example] {
        let file = PNGFile(width: 24, height: 20) { x, y in Color(UInt8(x * 9), UInt8(y * 9), 99) }.encoded
        let photo = PhotoResponse(.success(try PhotoRenderer.photo(of: file, limits: Decoder.pictureLimits))).encoded
        return [
            accepted(.photoAnswer, "photo", photo),
            accepted(.photoAnswer, "refusal", PhotoResponse(.failure(.timeout)).encoded),
            refused(.photoAnswer, "invalid", "nothing", []),
            refused(.photoAnswer, "invalid", "unknown-refusal", [200]),
            refused(.photoAnswer, "invalid", "cut", photo.dropLast()),
            refused(.photoAnswer, "invalid", "another-width", photo.replacing(2..<3, with: [25])),
        ]
    }
}
