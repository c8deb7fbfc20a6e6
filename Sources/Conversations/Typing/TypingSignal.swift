import Cryptography
import OperationLog

/// What a device says to the members of the moment while its user writes a message; it is no operation and is never
/// stored.
///
/// A value of this type has a valid signature. That somebody writes, and to whom it was said already, is sealed under
/// an epoch's key.
public struct TypingSignal: Hashable, Sendable {
    /// Bytes of an encoding, at most.
    public static let maximumBytes =
        2 * Digest.byteCount + Digest.byteCount + replicaEpochByteCount + 2 * 10 + 2 + maximumSealedBytes
        + Signature.byteCount
    /// Bytes of a replica epoch.
    public static let replicaEpochByteCount = 16
    /// Sealed bytes, at most: one bit for each reader of a view.
    private static let maximumSealedBytes =
        (DeliveredReaders.maximumBytes / EpochKey.block + 1) * EpochKey.block + ExtendedNonceCipher.overhead

    /// The epoch under whose key it is sealed.
    public let epoch: OperationID
    /// Whose keys are pressed.
    public let device: Device
    /// The database of the device: with another one its counter may begin anew.
    public let replicaEpoch: [UInt8]
    /// Its place among everything the device says of the kind.
    public let stamp: Stamp
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    private let sealed: [UInt8]
    private let authenticated: [UInt8]

    /// What orders the signals of a replica in a conversation.
    ///
    /// The chain is on every member's disk, so a signal from before a message is known to be over even by a node that
    /// was started anew. The counter orders those between two messages.
    public struct Stamp: Hashable, Comparable, Sendable {
        /// How many operations the device had written into the content lane.
        public let written: UInt64
        /// Rises with every signal of the device.
        public let counter: UInt64

        /// Places a signal.
        public init(written: UInt64, counter: UInt64) {
            self.written = written
            self.counter = counter
        }

        /// What was said earlier.
        public static func < (left: Stamp, right: Stamp) -> Bool {
            (left.written, left.counter) < (right.written, right.counter)
        }
    }

    /// Says that this device's user writes, to the readers of an epoch.
    ///
    /// - Parameters:
    ///   - replicaEpoch: 16 bytes.
    ///   - nonce: 24 bytes drawn for this signal alone.
    /// - Precondition: the replica epoch and the nonce have their lengths.
    public init(
        by author: Author, in conversation: ConversationID, epoch: OperationID, key: EpochKey, replicaEpoch: [UInt8],
        stamp: Stamp, reached: DeliveredReaders, nonce: [UInt8]
    ) {
        precondition(replicaEpoch.count == Self.replicaEpochByteCount, "a replica epoch has 16 bytes")
        (self.epoch, device, self.replicaEpoch, self.stamp) = (epoch, author.device, replicaEpoch, stamp)
        var writer = CanonicalWriter()
        writer.write(epoch)
        writer.write(author.device.user)
        writer.write(raw: author.device.key.bytes)
        writer.write(raw: replicaEpoch)
        writer.write(number: stamp.written)
        writer.write(number: stamp.counter)
        authenticated = writer.bytes
        sealed = key.seal(
            typing: reached.bytes, of: author.device.id, in: conversation, nonce: nonce, authenticating: authenticated)
        writer.write(data: sealed)
        writer.write(raw: author.sign(Self.statement(of: writer.bytes, in: conversation)).bytes)
        encoded = writer.bytes
    }

    /// Reads a signal and verifies its signature.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public init(verifying encoded: [UInt8], in conversation: ConversationID) throws(MalformedBytes) {
        guard encoded.count <= Self.maximumBytes else { throw .tooLong(field: "typing", limit: Self.maximumBytes) }
        var reader = CanonicalReader(encoded)
        epoch = try reader.identifier()
        let user: UserID = try reader.identifier()
        let key = try reader.verifyingKey(of: "device key")
        replicaEpoch = try reader.raw(Self.replicaEpochByteCount)
        stamp = Stamp(written: try reader.number(), counter: try reader.number())
        authenticated = Array(encoded[..<reader.position])
        sealed = try reader.data(of: "typing", limit: Self.maximumSealedBytes)
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard key.verifies(signature, of: Self.statement(of: signed, in: conversation).bytes) else {
            throw .signature(field: "typing")
        }
        device = Device(user: user, key: key)
        self.encoded = encoded
    }

    /// Opens the signal: whom its author told directly.
    ///
    /// - Throws: ``Unreadable/brokenSeal`` if the key does not open it, ``Unreadable/malformed`` if what was sealed is
    ///   no list of readers.
    public func open(with key: EpochKey, in conversation: ConversationID) throws(Unreadable) -> DeliveredReaders {
        let bytes = try key.open(typing: sealed, of: device.id, in: conversation, authenticating: authenticated)
        guard let reached = DeliveredReaders(bytes: bytes) else { throw .malformed }
        return reached
    }

    private static func statement(of signed: [UInt8], in conversation: ConversationID) -> Statement {
        var statement = Statement("moot/1/typing")
        statement.append(conversation.digest.bytes)
        statement.append(signed)
        return statement
    }
}

extension EpochKey {
    fileprivate func seal(
        typing plaintext: [UInt8], of device: DeviceID, in conversation: ConversationID, nonce: [UInt8],
        authenticating data: [UInt8]
    ) -> [UInt8] {
        var padded = plaintext
        Padding.pad(&padded, toMultipleOf: Self.block)
        return secret.withDerivedKey(of: Self.typingContext(of: device, in: conversation)) { key in
            ExtendedNonceCipher.seal(padded, key: key, nonce: nonce, authenticating: data)
        }
    }

    fileprivate func open(
        typing sealed: [UInt8], of device: DeviceID, in conversation: ConversationID, authenticating data: [UInt8]
    ) throws(Unreadable) -> [UInt8] {
        let padded = secret.withDerivedKey(of: Self.typingContext(of: device, in: conversation)) { key in
            try? ExtendedNonceCipher.open(sealed, key: key, authenticating: data)
        }
        guard let padded, let plaintext = Padding.unpad(padded, block: Self.block) else { throw .brokenSeal }
        return plaintext
    }

    /// Another one than that of messages, so that no signal opens as a message.
    private static func typingContext(of device: DeviceID, in conversation: ConversationID) -> [UInt8] {
        var writer = CanonicalWriter()
        writer.write(conversation)
        writer.write(device)
        return Array("moot/1/typing".utf8) + writer.bytes
    }
}
