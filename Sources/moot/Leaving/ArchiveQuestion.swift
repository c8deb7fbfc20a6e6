import LocalAPIClient
import LocalAPIModel

/// Asks before a group is archived because only one member remains.
struct ArchiveQuestion {
    /// Whether `--archive` answered already.
    let isAllowed: Bool
    /// Whether there is somebody to ask.
    let mayAsk: Bool

    /// Tries it, and tries again with permission if the node wants it and the user gives it.
    func ask(
        _ attempt: (_ archive: Bool) async throws(LocalClientError) -> ConversationDescription
    ) async throws(LocalClientError) -> ConversationDescription {
        do {
            return try await attempt(isAllowed)
        } catch LocalClientError.refused(let detail)
            where detail.code == ErrorCode.wouldArchive.rawValue && mayAsk && !isAllowed && isWanted()
        {
            return try await attempt(true)
        }
    }

    /// Why there is something to ask.
    static let reason = "This will archive the group (only 1 member remaining)."

    private func isWanted() -> Bool { Question.isAnsweredYes("\(Self.reason) Go on?") }
}
