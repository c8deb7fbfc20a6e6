/// Why cryptography cannot be used or has refused its input.
public enum CryptographyError: Error, Hashable, Sendable {
    /// libsodium does not behave as this protocol needs.
    case selfTest(String)
    /// A ciphertext or its associated data is not what was sealed.
    case authentication
    /// A public key with which the shared secret would be zero.
    case weakKey
    /// A nonce counter has run out.
    case exhausted
    /// The system does not give the memory that a passphrase costs.
    case outOfMemory

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .selfTest: "self_test_failed"
        case .authentication: "authentication_failed"
        case .weakKey: "weak_key"
        case .exhausted: "nonce_exhausted"
        case .outOfMemory: "out_of_memory"
        }
    }
}
