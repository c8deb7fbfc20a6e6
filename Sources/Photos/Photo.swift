/// What becomes of a picture before it is shown to others: upright, without metadata, not too large, and once more very
/// small.
public struct Photo: Hashable, Sendable {
    /// The picture.
    public let picture: EncodedPicture
    /// The same for lists.
    public let thumbnail: EncodedPicture

    /// Takes both.
    public init(picture: EncodedPicture, thumbnail: EncodedPicture) {
        self.picture = picture
        self.thumbnail = thumbnail
    }
}
