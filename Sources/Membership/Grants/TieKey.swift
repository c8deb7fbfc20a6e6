/// Bytes that order people of equal seniority, compared one by one.
///
/// In a conversation it is a hash of the conversation's id and the person's key: it cannot be ground before the conversation exists,
/// and afterwards the key is what it is.
public struct TieKey: Hashable, Comparable, Sendable {
    private let bytes: [UInt8]

    /// Takes over bytes.
    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The order of the bytes; a beginning comes before the whole.
    public static func < (left: TieKey, right: TieKey) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
