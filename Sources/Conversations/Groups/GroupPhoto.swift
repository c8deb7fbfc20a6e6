import Blobs
import Cryptography
import Membership
import OperationLog

/// The photo of a group: a file that its membership lane names.
///
/// The lane is not closed, so whoever comes in later can open the photo, too.
public struct GroupPhoto: Hashable, Sendable {
    /// The file.
    public let reference: BlobReference
    /// The operation that set it: whoever holds it may ask others for the file.
    public let operation: OperationID

    /// The type of every photo.
    public static let mediaType = "image/jpeg"

    /// What the file is called.
    public static let fileName = "photo.jpg"

    /// The value of the register for a photo; without one it is empty.
    public static func value(_ reference: BlobReference?) -> String {
        reference.map { HexadecimalText.encode($0.encoded) } ?? ""
    }

    /// Reads a value of the register; nil for none, and for what an admin wrote who should not have.
    static func reference(_ value: String) -> BlobReference? {
        guard value.utf8.count <= 2 * BlobReference.byteLimit, let bytes = HexadecimalText.decode(value) else {
            return nil
        }
        do throws(MalformedBytes) {
            let reference = try BlobReference(decoding: bytes)
            return reference.mediaType.description == mediaType ? reference : nil
        } catch {
            return nil
        }
    }
}

extension Group {
    /// The register that holds the photo.
    public static let photoField = "photo"

    /// The photo, if one was set.
    public var photo: GroupPhoto? {
        guard let reference = value(of: Self.photoField).flatMap(GroupPhoto.reference),
            let operation = resolver.writer(of: Self.photoField)
        else { return nil }
        return GroupPhoto(reference: reference, operation: operation)
    }
}
