import CSodium

/// libsodium itself: started once, and checked before anything relies on it.
public enum Sodium {
    /// Whether libsodium is initialised; the first call does it, from any thread.
    static let isReady: Bool = sodium_init() >= 0

    /// Starts libsodium and checks that it decides about signatures and points as every other node does.
    ///
    /// - Throws: ``CryptographyError/selfTest(_:)``: such a library would split the log, so a node refuses to run on it.
    public static func start() throws(CryptographyError) {
        guard isReady else { throw .selfTest("libsodium does not start") }
        // RFC 8032, section 7.1, test 2.
        let key = VerifyingKey(
            digest: known("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        let signature = Signature(
            bytes: known("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da").bytes
                + known("085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00").bytes)
        guard let signature, key.verifies(signature, of: [0x72]) else { throw .selfTest("a good signature is refused") }
        guard !key.verifies(signature, of: [0x73]) else { throw .selfTest("a bad signature is accepted") }
        // The neutral element and a point of order 8: signatures under them verify for many messages.
        for point in [
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        ] {
            guard !VerifyingKey(digest: known(point)).isValidPoint else { throw .selfTest("a weak key is accepted") }
        }
    }

    private static func known(_ hexadecimal: String) -> Digest {
        guard let digest = Digest(hexadecimal: hexadecimal) else { preconditionFailure("a constant is mistyped") }
        return digest
    }
}

/// Why cryptography cannot be used or has refused its input.
public enum CryptographyError: Error, Hashable, Sendable {
    /// libsodium does not behave as this protocol needs.
    case selfTest(String)
    /// A ciphertext or its associated data is not what was sealed.
    case authentication
    /// A public key with which the result would be zero.
    case weakKey
    /// A nonce counter has run out.
    case exhausted

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .selfTest: "self_test_failed"
        case .authentication: "authentication_failed"
        case .weakKey: "weak_key"
        case .exhausted: "nonce_exhausted"
        }
    }
}
