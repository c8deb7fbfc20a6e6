import LocalAPIClient
import LocalAPIModel

/// Asks before a group is archived because only one member remains.
struct ArchiveQuestion {
    /// Whether `--archive` answered already.
    let isAllowed: Bool
    /// Whether there is somebody to ask.
    let mayAsk: Bool

    /// Tries it, and tries again with permission if the node wants it and the user gives it.
    func settle(
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

    private func isWanted() -> Bool {
        Question.isAnsweredYes("This will archive the group (only 1 member remaining). Go on?")
    }
}
