import Cryptography

/// How a user introduces themselves: their name, their photo and their devices, signed by the root key.
///
/// A value of this type has a valid signature. Of two cards of a user the higher version counts, then the smaller
/// digest. A card of the highest version there is has no successor but another of that version: it is the *deletion*,
/// by which the user ends their identity.
public struct ProfileCard: Hashable, Sendable {
    /// Bytes that say which photo it is, at most: two references to files. What these are is said in a module above
    /// this one, so the number is given here.
    public static let maximumPhotoBytes = 2 * (32 + 10 + 32 + 2 + 127)
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        10 + 3 + DisplayName.maximumBytes + 3 + maximumPhotoBytes + 3 + IdentityRecord.maximumBytes
        + Signature.byteCount

    /// The version of a deletion.
    public static let deletionVersion = UInt64.max

    /// Rises with every change.
    public let version: UInt64
    /// What the user wants to be called, at most ``DisplayName/maximumBytes``; nothing on a deletion. Nothing makes it
    /// unique, and of somebody else's card it need not be a ``DisplayName``: whoever shows it shows it sanitized.
    public let name: String
    /// Which photo the user shows; at most ``maximumPhotoBytes`` bytes, none without a photo and on a deletion. Bytes
    /// that name no photo are no photo.
    public let photo: [UInt8]
    /// The user's devices.
    public let identity: IdentityRecord
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    /// The person described.
    public var user: UserID { identity.user }

    /// Whether the user ended their identity by this card.
    public var isDeletion: Bool { version == Self.deletionVersion }

    /// Signs a card; nil if the name is no ``DisplayName``, the photo is too long, or the version is that of a
    /// deletion.
    public init?(root: SigningKey, version: UInt64, name: String, photo: [UInt8], identity: IdentityRecord) {
        guard let name = try? DisplayName(name).text, photo.count <= Self.maximumPhotoBytes,
            version < Self.deletionVersion
        else { return nil }
        self.init(signedBy: root, version: version, name: name, photo: photo, identity: identity)
    }

    /// Signs the deletion of a user: the last card that they ever sign.
    public init(deletionBy root: SigningKey, identity: IdentityRecord) {
        self.init(signedBy: root, version: Self.deletionVersion, name: "", photo: [], identity: identity)
    }

    private init(signedBy root: SigningKey, version: UInt64, name: String, photo: [UInt8], identity: IdentityRecord) {
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
        let name = try reader.text(of: "name", limit: DisplayName.maximumBytes)
        let photo = try reader.data(of: "photo", limit: Self.maximumPhotoBytes)
        identity = try IdentityRecord(
            verifying: try reader.data(of: "identity record", limit: IdentityRecord.maximumBytes))
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard identity.user.key.verifies(signature, of: Self.statement(of: signed)) else {
            throw .signature(field: "profile card")
        }
        // Versions before deletions existed pass such a card on whatever it says: to refuse it would only keep it from
        // some.
        let isDeletion = version == Self.deletionVersion
        self.name = isDeletion ? "" : name
        self.photo = isDeletion ? [] : photo
        self.encoded = encoded
    }

    /// Whether this card replaces `other` of the same user.
    public func supersedes(_ other: ProfileCard) -> Bool {
        if version != other.version { return version > other.version }
        return digest < other.digest
    }

    /// What decides between two cards of one version.
    public var digest: Digest { Digest.hash("moot/1/card", encoded) }

    private static func statement(of signed: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/card")
        statement.append(signed)
        return statement.bytes
    }
}
