/// What revoking a device would take away of what its user's node holds.
public struct RevocationLossesDescription: Hashable, Sendable, Codable {
    /// The device.
    public var device: DeviceDescription
    /// How many conversations know it.
    public var conversations: Int
    /// How many messages, and changes to messages, would not be shown any more.
    public var messages: Int
    /// How much of what was decided in groups would not count any more, also by others where it rests on what the device did.
    public var decisions: Int
    /// Whether the node still lacks something that a member has who is connected.
    public var behind: Bool
    /// Whom the device blocked last: they stay blocked, unless the user takes that back.
    public var blocked: [String]

    package init(
        device: DeviceDescription, conversations: Int, messages: Int, decisions: Int, behind: Bool, blocked: [String]
    ) {
        self.device = device
        self.conversations = conversations
        self.messages = messages
        self.decisions = decisions
        self.behind = behind
        self.blocked = blocked
    }
}
