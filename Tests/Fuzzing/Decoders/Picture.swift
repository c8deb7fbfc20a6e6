import PhotoRendering
import Photos

extension Decoder {
    /// A picture that somebody chose, as the process reads it that makes a photo of it. Confined or not, it should
    /// survive.
    static let picture = Decoder("picture") { bytes in
        let photo: Photo
        do throws(PhotoError) {
            photo = try PhotoRenderer.photo(of: bytes, limits: pictureLimits)
        } catch {
            return .refused(error.code)
        }
        for picture in [photo.picture, photo.thumbnail] {
            try promise(
                "a photo tells only its pixels", EncodedPicture(size: picture.size, bytes: picture.bytes) == picture)
        }
        try promise("a photo is as small as it must be", photo.picture.size.longerSide <= pictureLimits.side)
        try promise(
            "a thumbnail has the photo's shape",
            photo.thumbnail.size == photo.picture.size.fitting(within: pictureLimits.thumbnailSide))
        let again = Result { () throws(PhotoError) in
            try PhotoRenderer.photo(of: photo.picture.bytes, limits: pictureLimits).picture.size
        }
        try promise("a photo of a photo has its size", again == .success(photo.picture.size))
        return .accepted
    }

    /// Small, so that the fuzzer tries many and meets each limit.
    static var pictureLimits: PhotoLimits {
        var limits = PhotoLimits()
        limits.area = 40_000
        limits.side = 64
        limits.photoByteCount = 16_000
        limits.thumbnailSide = 16
        limits.thumbnailByteCount = 4_000
        limits.pixelMemory = 8 * 1_024 * 1_024
        return limits
    }
}
