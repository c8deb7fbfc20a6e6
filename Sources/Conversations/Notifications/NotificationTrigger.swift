import OperationLog

/// Something that happened in a conversation and may be worth a notification.
public struct NotificationTrigger: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// Somebody wrote messages; how many, and whether one of them mentions the user.
        case messages(Int, mentionsMe: Bool)
        /// The user was added to the group.
        case added
        /// The user was added to the group, and wants to be asked whether they stay.
        case asked
        /// The user was invited to the group.
        case invited
        /// The user was removed from the group.
        case removed
        /// The user took over as admin of the group, because none was left.
        case actingAdmin
    }

    /// What happened.
    public let kind: Kind
    /// Who did it last.
    public let actor: UserID
    /// The latest operation; nil where there is nothing to go to.
    public let operation: OperationID?

    /// Describes what happened.
    public init(_ kind: Kind, by actor: UserID, operation: OperationID?) {
        self.kind = kind
        self.actor = actor
        self.operation = operation
    }
}
