import CSodium

/// How a passphrase becomes a key: Argon2id (RFC 9106) with a cost and a salt, both kept next to what the key seals.
public struct PassphraseKey: Hashable, Sendable {
    /// What one guess costs.
    public struct Cost: Hashable, Sendable {
        /// How often the memory is gone over.
        public let passes: UInt32
        /// The memory in KiB.
        public let kibibytes: UInt32

        /// What a cost read from a disk may ask for: no file makes a start take minutes, or more than a GiB.
        public static let allowed = (
            passes: 1...16 as ClosedRange<UInt32>, kibibytes: 8...(1 << 20) as ClosedRange<UInt32>
        )

        /// Checks a cost; nil outside of ``allowed``.
        public init?(passes: UInt32, kibibytes: UInt32) {
            guard Self.allowed.passes.contains(passes), Self.allowed.kibibytes.contains(kibibytes) else { return nil }
            self.init(checkedPasses: passes, kibibytes: kibibytes)
        }

        private init(checkedPasses passes: UInt32, kibibytes: UInt32) {
            self.passes = passes
            self.kibibytes = kibibytes
        }

        /// 3 passes over 256 MiB: what libsodium calls moderate, about a second.
        public static let moderate = Cost(checkedPasses: 3, kibibytes: 256 << 10)
        /// The least there is, which protects nothing: for tests.
        public static let least = Cost(checkedPasses: 1, kibibytes: 8)
    }

    /// Bytes of a salt.
    public static let saltByteCount = Int(crypto_pwhash_SALTBYTES)

    /// What one guess costs.
    public let cost: Cost
    /// What makes the same passphrase another key in every home.
    public let salt: [UInt8]

    /// Takes over a cost and a salt; nil unless the salt has 16 bytes.
    public init?(cost: Cost, salt: [UInt8]) {
        guard salt.count == Self.saltByteCount else { return nil }
        self.cost = cost
        self.salt = salt
    }

    /// Draws a salt.
    public init(cost: Cost, using random: inout some RandomNumberGenerator) {
        self.cost = cost
        salt = random.bytes(Self.saltByteCount)
    }

    /// Turns a passphrase into its key.
    ///
    /// - Throws: ``CryptographyError/outOfMemory`` where the system does not give as much memory as the cost says.
    /// - Complexity: as the cost says, on purpose.
    public func key(of passphrase: Passphrase) throws(CryptographyError) -> StorageKey {
        var result: Int32 = -1
        let key = SecretBytes(count: StorageKey.byteCount) { key in
            result = crypto_pwhash(
                key.octets, UInt64(key.count), passphrase.start, UInt64(passphrase.count), salt, UInt64(cost.passes),
                Int(cost.kibibytes) << 10, crypto_pwhash_ALG_ARGON2ID13)
        }
        guard result == 0 else { throw .outOfMemory }
        return StorageKey(key)
    }
}
