import OperationLog

/// What two devices of one user say to each other about the user's private state. From anybody else each is a violation.
public enum PrivateWord: Hashable, Sendable {
    /// What is held, as a digest.
    case digest(PrivateDigest)
    /// What is held, by bucket: asks for what differs.
    case summary(PrivateSummary)
    /// What is held in the buckets that differ: asks for what is newer.
    case versions(PrivateVersions)
    /// States that the receiver does not hold.
    case states([PrivateEntry])

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .digest(let digest): PrivateDigestMessage.write(digest, to: &writer)
        case .summary(let summary): PrivateSummaryMessage.write(summary, to: &writer)
        case .versions(let versions): PrivateVersionsMessage.write(versions, to: &writer)
        case .states(let entries): PrivateStatesMessage.write(entries, to: &writer)
        }
    }
}
