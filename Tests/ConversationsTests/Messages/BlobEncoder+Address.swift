import Blobs
import Cryptography

extension BlobEncoder {
    /// The blob of a short text.
    static func address(of text: String) -> BlobAddress {
        var encoder = BlobEncoder(key: BlobKey(bytes: .hash("key")))
        _ = encoder.seal(Array(text.utf8))
        return encoder.finish().address
    }
}
