/// One operation of a conversation's membership lane with its verdict.
public struct MembershipEntryDescription: Hashable, Sendable, Codable {
    /// The id.
    public var id: String
    /// The id of the author.
    public var author: String
    /// The author's name.
    public var authorName: String
    /// The type of the operation.
    public var type: String
    /// When its author says it was written.
    public var time: String
    /// The operations of the lane that its author named as seen; what neither follows the other is concurrent.
    public var parents: [String]
    /// Whether it counts.
    public var effective: Bool
    /// In words: what it did, or why it is void.
    public var sentence: String
    /// The rule that voided it.
    public var rule: String?
    /// The operation that voided it.
    public var decidedBy: String?

    package init(
        id: String, author: String, authorName: String, type: String, time: String, parents: [String],
        effective: Bool, sentence: String, rule: String? = nil, decidedBy: String? = nil
    ) {
        self.id = id
        self.author = author
        self.authorName = authorName
        self.type = type
        self.time = time
        self.parents = parents
        self.effective = effective
        self.sentence = sentence
        self.rule = rule
        self.decidedBy = decidedBy
    }
}
