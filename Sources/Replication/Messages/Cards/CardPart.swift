import OperationLog

/// A part of the cards that a node holds of the people whom it shares with a peer: a question for those that are newer.
///
/// It speaks of everybody above one person, up to the last whom it names, or of everybody above. So each part is a
/// question of its own, as a ``ChainPart`` is, and its receiver need not remember any.
public struct CardPart: Hashable, Sendable {
    /// People whom a part names.
    public static let maximumCount = 512

    /// It speaks of nobody up to this person; nil for everybody from the first.
    public let after: UserID?
    /// What is held, ascending by person. Of whomever else it speaks of, nothing is held.
    public let versions: [CardVersion]
    /// Whether it speaks of everybody after the last whom it names.
    public let isLast: Bool

    /// The part of what is held that comes after a person.
    ///
    /// - Parameter held: all that is held, ascending by person.
    public init(of held: [CardVersion], after: UserID?) {
        let rest = held.drop { version in after.map { version.user <= $0 } ?? false }
        self.after = after
        versions = Array(rest.prefix(Self.maximumCount))
        isLast = rest.count <= Self.maximumCount
    }

    /// Whether it speaks of a person.
    public func covers(_ user: UserID) -> Bool {
        if let after, user <= after { return false }
        return isLast || versions.last.map { user <= $0.user } ?? false
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        after = try reader.flag() ? try reader.identifier() : nil
        isLast = try reader.flag()
        let count = try reader.count(of: "cards", limit: Self.maximumCount, each: CardVersion.byteMinimum)
        guard isLast || count > 0 else { throw .invalid(field: "cards") }
        var versions: [CardVersion] = []
        var last = after
        for _ in 0..<count {
            let version = try CardVersion(from: &reader)
            if let last, last >= version.user { throw .unsorted(field: "cards") }
            last = version.user
            versions.append(version)
        }
        self.versions = versions
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(byte: after == nil ? 0 : 1)
        if let after { writer.write(after) }
        writer.write(byte: isLast ? 1 : 0)
        writer.write(count: versions.count)
        for version in versions { version.write(to: &writer) }
    }
}
