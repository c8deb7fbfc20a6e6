import Cryptography
import Time

/// The secrets that open the API on loopback but those of browsers. All are drawn when the node starts and forgotten
/// when it stops; none is on disk.
///
/// The type reads no clock: whoever holds it says what time it is.
struct LoopbackSecrets: Sendable {
    /// How long a single-use address works.
    static let addressLifetime = Duration.seconds(60)
    /// The most single-use addresses that wait to be followed; a further one takes the place of the oldest.
    static let maximumAddresses = 16

    private static let byteCount = 32

    private let token: SecretBytes
    /// What the node and the pages of this run have in common: by it the node proves that it is the one that let them
    /// in.
    private let common: SecretBytes
    private var addresses: [Address] = []

    private struct Address {
        let secret: SecretBytes
        let ends: ContinuousClock.Instant
    }

    /// Draws the secrets.
    init(using random: inout some RandomNumberGenerator) {
        token = SecretBytes(count: Self.byteCount, using: &random)
        common = SecretBytes(count: Self.byteCount, using: &random)
    }

    /// By what a page knows this node again; told together with its key.
    var commonText: String { Self.text(of: common) }

    /// What only this node and its pages can say to a number that a page drew.
    func proof(of nonce: String) -> String {
        HexadecimalText.encode(SHA256.authentication(of: Array("moot/1/web-proof/\(nonce)".utf8), under: common))
    }

    /// The bearer token for programs.
    var tokenText: String { Self.text(of: token) }

    /// Whether a text is the token, found out in constant time.
    func opens(token text: some StringProtocol) -> Bool {
        Self.secret(from: text).map(token.isSame) ?? false
    }

    /// Makes the secret part of a new single-use address.
    mutating func makeAddress(
        at now: ContinuousClock.Instant, using random: inout some RandomNumberGenerator
    ) -> String {
        addresses.removeAll { $0.ends <= now }
        if addresses.count == Self.maximumAddresses { addresses.removeFirst() }
        let secret = SecretBytes(count: Self.byteCount, using: &random)
        addresses.append(Address(secret: secret, ends: now + Self.addressLifetime))
        return Self.text(of: secret)
    }

    /// Uses up a single-use address.
    ///
    /// - Returns: whether it was good: not one that never was, was followed before, or is too old.
    mutating func useAddress(_ text: some StringProtocol, at now: ContinuousClock.Instant) -> Bool {
        guard let given = Self.secret(from: text) else { return false }
        var isGood = false
        addresses.removeAll { address in
            guard address.secret.isSame(as: given) else { return false }
            isGood = address.ends > now
            return true
        }
        return isGood
    }

    private static func text(of secret: SecretBytes) -> String {
        secret.withUnsafeBytes { HexadecimalText.encode($0) }
    }

    /// Reads exactly what ``text(of:)`` writes.
    private static func secret(from text: some StringProtocol) -> SecretBytes? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * byteCount else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(of: digits[start]), let low = value(of: digits[start + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return SecretBytes(bytes)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
