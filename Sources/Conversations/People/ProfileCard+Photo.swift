import Blobs
import OperationLog

extension ProfileCard {
    /// The photo that the user shows; nil for none, and for bytes that name none.
    public var photoReference: PhotoReference? {
        // What a stranger wrote may be anything; it is no error to show no photo.
        photo.isEmpty ? nil : try? PhotoReference(decoding: photo)
    }
}
