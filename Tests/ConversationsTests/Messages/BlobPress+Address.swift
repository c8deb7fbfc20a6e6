import Blobs
import Cryptography

extension BlobPress {
    /// The blob of a short text.
    static func address(of text: String) -> BlobAddress {
        var press = BlobPress(key: BlobKey(bytes: .hash("key")))
        _ = press.seal(Array(text.utf8))
        return press.finish().address
    }
}
