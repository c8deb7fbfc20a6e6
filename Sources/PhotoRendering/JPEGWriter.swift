import CPictures
import Photos

extension Canvas {
    /// The picture as a JPEG that says nothing but its pixels.
    ///
    /// - Parameter maximumBytes: how long it may be; it becomes coarser until it fits.
    /// - Throws: ``PhotoError/tooLarge`` if it never does.
    func encoded(maximumBytes: Int) throws(PhotoError) -> EncodedPicture {
        for quality in Self.qualities {
            var count = 0
            var result = moot_picture_result.done
            let bytes = [UInt8](unsafeUninitializedCapacity: maximumBytes) { target, written in
                result = moot_jpeg_write(
                    pixels, UInt32(size.width), UInt32(size.height), quality, target.baseAddress, maximumBytes, &count)
                written = count
            }
            if result == .no_room { continue }
            try result.check()
            guard let picture = EncodedPicture(size: size, bytes: bytes) else { throw .broken }
            return picture
        }
        throw .tooLarge
    }

    /// The first is what cameras call good. The others are for noise.
    private static let qualities: [Int32] = [85, 70, 50, 25]
}
