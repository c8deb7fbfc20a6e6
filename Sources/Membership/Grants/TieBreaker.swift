/// Bytes that order people of equal seniority, compared one by one.
///
/// In a conversation it is a hash of the conversation's id and the person's key: it cannot be ground before the
/// conversation exists, and afterwards the key is what it is.
public struct TieBreaker: Hashable, Comparable, Sendable {
    /// The first 32 bytes, filled up with zeros: ranks are compared all the time, and a hash needs no heap this way.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// The bytes after them.
    private var rest: [UInt8]?
    private var count = 0

    /// Takes over bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            let shifted = UInt64(byte) << UInt64(56 - 8 * (count % 8))
            switch count / 8 {
            case 0: words.0 |= shifted
            case 1: words.1 |= shifted
            case 2: words.2 |= shifted
            case 3: words.3 |= shifted
            default: rest = (rest ?? []) + [byte]
            }
            count += 1
        }
    }

    /// The order of the bytes; a beginning comes before the whole.
    public static func < (left: TieBreaker, right: TieBreaker) -> Bool {
        if left.words != right.words { return left.words < right.words }
        if left.rest != right.rest { return (left.rest ?? []).lexicographicallyPrecedes(right.rest ?? []) }
        return left.count < right.count
    }

    /// Equal bytes.
    public static func == (left: TieBreaker, right: TieBreaker) -> Bool {
        left.words == right.words && left.count == right.count && left.rest == right.rest
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
        hasher.combine(rest)
        hasher.combine(count)
    }
}
