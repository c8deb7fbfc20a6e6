/// A word of an answer that is one of a list, which later versions may make longer.
///
/// A word that this version does not know is read as ``unknown``, so that an older command understands a newer node. A
/// node never says ``unknown``. What clients say is read strictly: the kinds of requests are no such words.
public protocol APIEnum: RawRepresentable<String>, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
    /// Stands for every word that this version does not know.
    static var unknown: Self { get }
}

extension APIEnum {
    /// Reads a word, known or not.
    public init(from decoder: any Decoder) throws {
        self = try Self(rawValue: decoder.singleValueContainer().decode(String.self)) ?? .unknown
    }

    /// The word.
    public var description: String { rawValue }
}
