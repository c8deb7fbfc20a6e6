import Photos

extension Decoder {
    /// What a process says that has read a stranger's bytes.
    static let photoAnswer = Decoder("photo-answer") { bytes in
        let limits = pictureLimits
        guard let answer = PhotoResponse(decoding: bytes, limits: limits) else { return .refused("invalid") }
        try promise("an answer has one encoding", answer.encoded == bytes)
        guard case .success(let photo) = answer.photo else { return .accepted }
        try promise(
            "an answer keeps the limits",
            photo.picture.size.longerSide <= limits.side && photo.picture.bytes.count <= limits.photoByteCount
                && photo.thumbnail.size.longerSide <= limits.thumbnailSide
                && photo.thumbnail.bytes.count <= limits.thumbnailByteCount)
        return .accepted
    }
}
