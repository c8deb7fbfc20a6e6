import Cryptography
import OperationLog

/// What two people read to each other to be sure that nobody stands between them: 30 decimal digits, the same for both.
///
/// Each person's half is 15 digits of a slow hash of their id, and the half of the smaller id is first. Somebody in the
/// middle shows each of the two a key of their own and may choose both, so each half must hold out by itself: they
/// need, for either person, another key with the very same half, a second preimage. That is about 2⁵⁰ tries, which a
/// fast hash would leave within reach; of this one every try takes a tenth of a second and 64 MiB. Nothing is
/// exchanged, so it works while the other is offline.
public struct SafetyNumber: Hashable, Sendable {
    /// Digits of one person's half.
    public static let halfDigits = 15
    /// Digits that stand together.
    public static let groupDigits = 5

    /// The 30 digits, without spaces.
    public let digits: String

    /// Computes the code of two people, in whatever order they are named.
    ///
    /// - Precondition: the two are not one: nobody compares codes with themselves.
    /// - Throws: ``CryptographyError/outOfMemory``.
    /// - Complexity: two ``MemoryHardHash``es, about 0.2 s. Keep it off every queue that others wait for.
    public init(_ one: UserID, _ other: UserID) throws(CryptographyError) {
        precondition(one != other, "a code belongs to two people")
        digits = try Self.half(of: min(one, other)) + Self.half(of: max(one, other))
    }

    /// The digits of one person, with the zeros they begin with.
    static func half(of user: UserID) throws(CryptographyError) -> String {
        let salt = Array(Digest.hash("moot/1/compare").bytes.prefix(MemoryHardHash.saltByteCount))
        let hash = try MemoryHardHash.hash(user.digest.bytes, salt: salt)
        let number = hash.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000_000_000_000
        let digits = String(number)
        return String(repeating: "0", count: halfDigits - digits.count) + digits
    }
}

extension SafetyNumber: CustomStringConvertible {
    /// Six groups of five digits: `12345 67890 12345 67890 12345 67890`.
    public var description: String {
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: Self.groupDigits) { text += " " }
            text.append(digit)
        }
        return text
    }
}
