import Cryptography

/// How a user introduces themselves: their name, their photo and their devices, signed by the root key.
///
/// A value of this type has a valid signature. Of two cards of a user the higher version counts, then the smaller digest.
public struct ProfileCard: Hashable, Sendable {
    /// Characters a name may have, after trimming.
    public static let maximumNameLength = 50
    /// Bytes of UTF-8 a name may have: characters may be composed of many scalars.
    public static let maximumNameBytes = 800
    /// Bytes that say which photo it is, at most: two references to files. What these are is said in a module above this one, so the
    /// number is given here.
    public static let maximumPhotoBytes = 2 * (32 + 10 + 32 + 2 + 127)
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        10 + 3 + maximumNameBytes + 3 + maximumPhotoBytes + 3 + IdentityRecord.maximumBytes + Signature.byteCount

    /// Rises with every change.
    public let version: UInt64
    /// What the user wants to be called; 1 to ``maximumNameLength`` characters. Nothing makes it unique.
    public let name: String
    /// Which photo the user shows; at most ``maximumPhotoBytes`` bytes, none without a photo. Bytes that name no photo are no photo.
    public let photo: [UInt8]
    /// The user's devices.
    public let identity: IdentityRecord
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    /// The person described.
    public var user: UserID { identity.user }

    /// Signs a card; nil if the name or the photo breaks its limits.
    public init?(root: SigningKey, version: UInt64, name: String, photo: [UInt8], identity: IdentityRecord) {
        guard let name = Self.accept(name: name), photo.count <= Self.maximumPhotoBytes else { return nil }
        precondition(identity.user == UserID(root.verifyingKey), "a root signs its own card only")
        self.version = version
        self.name = name
        self.photo = photo
        self.identity = identity
        var writer = CanonicalWriter()
        writer.write(number: version)
        writer.write(text: name)
        writer.write(data: photo)
        writer.write(data: identity.encoded)
        let signature = root.sign(Self.statement(of: writer.bytes))
        writer.write(raw: signature.bytes)
        encoded = writer.bytes
    }

    /// Reads a card and verifies both its signature and its record's.
    ///
    /// - Complexity: two signature checks, about 200 µs.
    public init(verifying encoded: [UInt8]) throws(MalformedBytes) {
        guard encoded.count <= Self.maximumBytes else {
            throw .tooLong(field: "profile card", limit: Self.maximumBytes)
        }
        var reader = CanonicalReader(encoded)
        version = try reader.number()
        name = try reader.text(of: "name", limit: Self.maximumNameBytes)
        guard Self.accept(name: name) == name else { throw .invalid(field: "name") }
        photo = try reader.data(of: "photo", limit: Self.maximumPhotoBytes)
        identity = try IdentityRecord(
            verifying: try reader.data(of: "identity record", limit: IdentityRecord.maximumBytes))
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard identity.user.key.verifies(signature, of: Self.statement(of: signed)) else {
            throw .signature(field: "profile card")
        }
        self.encoded = encoded
    }

    /// A name without surrounding white space, or nil if it is empty or too long.
    public static func accept(name: String) -> String? {
        let isSpace = { (character: Character) in character.isWhitespace }
        let start = name.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        let trimmed = String(start[...last])
        guard (1...maximumNameLength).contains(trimmed.count), trimmed.utf8.count <= maximumNameBytes else {
            return nil
        }
        return trimmed
    }

    /// Whether this card replaces `other` of the same user.
    public func supersedes(_ other: ProfileCard) -> Bool {
        if version != other.version { return version > other.version }
        return Digest.hash("moot/1/card", encoded) < Digest.hash("moot/1/card", other.encoded)
    }

    private static func statement(of signed: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/card")
        statement.append(signed)
        return statement.bytes
    }
}
