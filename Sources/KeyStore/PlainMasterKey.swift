import Cryptography

/// The file `keys/key`: a home's master key as it is, for a home without a passphrase.
///
/// A version, the key, and 16 bytes of a hash that tell damage from a key that belongs to something else.
struct PlainMasterKey {
    let key: StorageKey

    private static let version: UInt8 = 1
    private static let checkByteCount = 16

    init(_ key: StorageKey) {
        self.key = key
    }

    /// Reads the file; nil if it is damaged.
    init?(_ file: SecretBytes) {
        guard file.count == 1 + StorageKey.byteCount + Self.checkByteCount else { return nil }
        let key = file.withUnsafeBytes { bytes -> StorageKey? in
            let (key, check) = (bytes[1...].prefix(StorageKey.byteCount), bytes.suffix(Self.checkByteCount))
            guard bytes[0] == Self.version, Self.check(UnsafeRawBufferPointer(rebasing: key)) == Array(check) else {
                return nil
            }
            return StorageKey(
                SecretBytes(count: StorageKey.byteCount) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: key)) })
        }
        guard let key else { return nil }
        self.key = key
    }

    /// The bytes of the file.
    var file: SecretBytes {
        key.withUnsafeBytes { key in
            SecretBytes(count: 1 + key.count + Self.checkByteCount) { file in
                file[0] = Self.version
                UnsafeMutableRawBufferPointer(rebasing: file[1...]).copyMemory(from: key)
                UnsafeMutableRawBufferPointer(rebasing: file[(1 + key.count)...]).copyBytes(from: Self.check(key))
            }
        }
    }

    private static func check(_ key: UnsafeRawBufferPointer) -> [UInt8] {
        var hash = Blake2b(byteCount: checkByteCount)
        hash.update(Array("moot/1/key".utf8))
        hash.update(raw: key)
        return hash.finalize()
    }
}
