/// The answer to sending several texts at once.
public struct SentMessages: Hashable, Sendable, Codable {
    /// The new messages' ids, in the order of the texts.
    public var ids: [String]

    package init(ids: [String]) {
        self.ids = ids
    }
}
