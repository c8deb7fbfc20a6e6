import OperationLog

/// What two devices of one user say to each other about the user's private state. From anybody else each is an offense.
public enum PrivateMessage: Hashable, Sendable {
    /// What is held, as a digest.
    case digest(PrivateDigest)
    /// What is held, by bucket: asks for what differs.
    case summary(PrivateSummary)
    /// What is held in the buckets that differ: asks for what is newer.
    case versions(PrivateVersions)
    /// States that the receiver does not hold.
    case states([PrivateEntry])

    static let kinds: [any MessageKind.Type] = [
        PrivateDigestMessage.self, PrivateSummaryMessage.self, PrivateVersionsMessage.self, PrivateStatesMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .digest(let digest): PrivateDigestMessage.write(digest, to: &writer)
        case .summary(let summary): PrivateSummaryMessage.write(summary, to: &writer)
        case .versions(let versions): PrivateVersionsMessage.write(versions, to: &writer)
        case .states(let entries): PrivateStatesMessage.write(entries, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int {
        switch self {
        case .versions(let held): held.versions.count
        case .states(let states): states.count
        case .digest, .summary: 0
        }
    }

    /// Bytes that it takes in memory besides those on the way.
    var weight: Int {
        if case .summary = self { return PrivateSummary.bucketCount * MemoryLayout<UInt64?>.stride }
        return entryCount * PeerMessage.entryOverhead
    }
}
