/// What somebody may do in a conversation. What is about other people is true if it can be done to anybody.
public struct RightsDescription: Hashable, Sendable, Codable {
    /// Send messages.
    public var write: Bool
    /// Make people members.
    public var add: Bool
    /// Take people out.
    public var remove: Bool
    /// Change the name, the description, the photo and the settings.
    public var edit: Bool
    /// Give and take roles.
    public var promote: Bool
    /// Pin messages, and unpin them.
    public var pin: Bool
    /// Delete messages of others.
    public var deleteOthers: Bool
    /// Invite people, and make codes.
    public var invite: Bool

    package init(
        write: Bool = false, add: Bool = false, remove: Bool = false, edit: Bool = false, promote: Bool = false,
        pin: Bool = false, deleteOthers: Bool = false, invite: Bool = false
    ) {
        self.write = write
        self.add = add
        self.remove = remove
        self.edit = edit
        self.promote = promote
        self.pin = pin
        self.deleteOthers = deleteOthers
        self.invite = invite
    }
}
