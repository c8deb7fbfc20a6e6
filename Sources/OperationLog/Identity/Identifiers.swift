import Cryptography

/// A name of 32 bytes that compares by its bytes.
public protocol DigestIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    var digest: Digest { get }
    /// Wraps 32 bytes.
    init(digest: Digest)
}

extension DigestIdentifier {
    /// Byte order, the same on every host.
    public static func < (left: Self, right: Self) -> Bool { left.digest < right.digest }

    /// 64 lowercase hexadecimal digits.
    public var description: String { digest.hexadecimal }

    /// Reads 64 lowercase hexadecimal digits; anything else is nil.
    public init?(hexadecimal: some StringProtocol) {
        guard let digest = Digest(hexadecimal: hexadecimal) else { return nil }
        self.init(digest: digest)
    }
}

/// A person: the public key of a root key that certifies devices.
public struct UserID: DigestIdentifier {
    /// The bytes of the Ed25519 public key.
    public let digest: Digest

    /// Wraps the bytes of a public key.
    public init(digest: Digest) { self.digest = digest }

    /// Names the user of a root key.
    public init(_ key: VerifyingKey) { digest = key.digest }

    /// The root's public key.
    public var key: VerifyingKey { VerifyingKey(digest: digest) }
}

/// A device of a user: the digest of both keys, so that one key under two users is two devices.
public struct DeviceID: DigestIdentifier {
    /// `BLAKE2b-256("moot/1/device" ‖ user key ‖ device key)`.
    public let digest: Digest

    /// Wraps the bytes of an id.
    public init(digest: Digest) { self.digest = digest }
}

/// A conversation: the id of the operation that created a group, or a digest of the two users of a direct one.
public struct ConversationID: DigestIdentifier {
    /// The 32 bytes.
    public let digest: Digest

    /// Wraps the bytes of an id.
    public init(digest: Digest) { self.digest = digest }

    /// Names the group that an operation created.
    public init(createdBy operation: OperationID) { digest = operation.digest }

    /// Names the direct conversation of two users, which needs no creation: both sides can begin at once, offline, and
    /// meet in the same conversation.
    public init(directBetween first: UserID, and second: UserID) {
        let (low, high) = first <= second ? (first, second) : (second, first)
        digest = .hash("moot/1/direct", low.digest.bytes, high.digest.bytes)
    }
}

/// A signed operation, named by its header: the signature is no part of the name.
public struct OperationID: DigestIdentifier {
    /// `BLAKE2b-256("moot/1/op" ‖ header)`.
    public let digest: Digest

    /// Wraps the bytes of an id.
    public init(digest: Digest) { self.digest = digest }
}
