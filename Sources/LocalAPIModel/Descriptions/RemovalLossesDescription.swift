/// What removing a person with what they did since a time would take away of what the node holds.
public struct RemovalLossesDescription: Hashable, Sendable, Codable {
    /// How much of what was decided would not count any more: what they did, and what others did where it rests on that.
    public var decisions: Int
    /// How many messages of theirs, and changes to messages, would be marked as not counting.
    public var messages: Int
    /// How much of what they decided since would count on, because the node has decided on top of it.
    public var kept: Int
    /// Who else would be in the group no more.
    public var leaving: [PersonDescription]
    /// Whom they had taken out, and who would be in the group again.
    public var returning: [PersonDescription]

    package init(
        decisions: Int, messages: Int, kept: Int, leaving: [PersonDescription], returning: [PersonDescription]
    ) {
        self.decisions = decisions
        self.messages = messages
        self.kept = kept
        self.leaving = leaving
        self.returning = returning
    }
}
