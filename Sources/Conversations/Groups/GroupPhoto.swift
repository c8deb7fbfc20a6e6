import Blobs
import Cryptography
import Membership
import OperationLog

/// The photo of a group: files that its membership lane names.
///
/// The lane is not closed, so whoever comes in later can open the photo, too.
public struct GroupPhoto: Hashable, Sendable {
    /// The picture, and the same very small.
    public let photo: PhotoReference
    /// The operation that set it: whoever holds it may ask others for the files.
    public let operation: OperationID

    /// What the picture is called.
    public static let fileName = "photo.jpg"

    /// The value of the register for a photo; without one it is empty.
    public static func value(_ photo: PhotoReference?) -> String {
        photo.map { HexadecimalText.encode($0.encoded) } ?? ""
    }

    /// Reads a value of the register; nil for none, and for what an admin wrote who should not have.
    static func photo(_ value: String) -> PhotoReference? {
        guard value.utf8.count <= 2 * PhotoReference.maximumBytes, let bytes = HexadecimalText.decode(value) else {
            return nil
        }
        return try? PhotoReference(decoding: bytes)
    }
}

extension Group {
    /// The register that holds the photo.
    public static let photoField = "photo"

    /// The photo, if one was set.
    public var photo: GroupPhoto? {
        guard let photo = value(of: Self.photoField).flatMap(GroupPhoto.photo),
            let operation = resolver.writer(of: Self.photoField)
        else { return nil }
        return GroupPhoto(photo: photo, operation: operation)
    }
}
