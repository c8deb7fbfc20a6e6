import Blobs
import Cryptography

extension BlobEncoder {
    /// The blob of a short text.
    static func address(of text: String) -> BlobAddress {
        var press = BlobEncoder(key: BlobKey(bytes: .hash("key")))
        _ = press.seal(Array(text.utf8))
        return press.finish().address
    }
}
