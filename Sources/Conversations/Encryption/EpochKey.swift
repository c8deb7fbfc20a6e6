import Cryptography
import OperationLog

/// The secret of an epoch, 32 random bytes: what the members of one view share.
public struct EpochKey: Sendable {
    /// Bytes of a key.
    public static let byteCount = 32
    /// Texts are padded to a multiple of so many bytes.
    public static let block = 16

    /// The secret.
    public let secret: SecretBytes

    /// Takes over a secret; nil unless it has 32 bytes.
    public init?(_ secret: SecretBytes) {
        guard secret.count == Self.byteCount else { return nil }
        self.secret = secret
    }

    /// Makes a new key.
    public static func generate(using random: inout some RandomNumberGenerator) -> EpochKey {
        guard let key = EpochKey(SecretBytes(count: byteCount, using: &random)) else {
            preconditionFailure("a key has \(byteCount) bytes")
        }
        return key
    }

    /// What everybody who gets the key compares it with, so that nobody is given another one.
    public func commitment(of header: OperationHeader, view: ViewID) -> Digest {
        var writer = CanonicalWriter()
        if let conversation = header.conversation { writer.write(conversation) }
        writer.write(header.device)
        writer.write(ascending: header.membershipHeads)
        writer.write(view)
        return secret.digest(of: Array("moot/1/commit".utf8) + writer.bytes)
    }

    /// How long the body of a text is.
    public static func bodyLength(of plaintext: [UInt8]) -> Int {
        (plaintext.count / block + 1) * block + ExtendedNonceCipher.overhead
    }

    /// Closes a text for the place its operation has.
    ///
    /// - Parameters:
    ///   - header: whole but for the body's digest.
    ///   - nonce: 24 bytes drawn for this text alone.
    public func seal(_ plaintext: [UInt8], for header: OperationHeader, nonce: [UInt8]) -> [UInt8] {
        var padded = plaintext
        Padding.pad(&padded, toMultipleOf: Self.block)
        return withMessageKey(of: header) { key in
            ExtendedNonceCipher.seal(padded, key: key, nonce: nonce, authenticating: header.encodedUpToDigest)
        }
    }

    /// Opens the body of an operation.
    ///
    /// - Throws: ``Unreadable/brokenSeal``.
    public func open(_ body: [UInt8], of header: OperationHeader) throws(Unreadable) -> [UInt8] {
        let padded = withMessageKey(of: header) { key in
            try? ExtendedNonceCipher.open(body, key: key, authenticating: header.encodedUpToDigest)
        }
        guard let padded, let plaintext = Padding.unpad(padded, block: Self.block) else { throw .brokenSeal }
        return plaintext
    }

    /// The author is in the key, so that nobody can take the signature off a text and sign it as their own.
    private func withMessageKey<Result>(
        of header: OperationHeader, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var writer = CanonicalWriter()
        if let conversation = header.conversation { writer.write(conversation) }
        writer.write(header.device)
        writer.write(number: header.sequenceNumber)
        return secret.withDerivedKey(of: Array("moot/1/msg".utf8) + writer.bytes, body)
    }
}
