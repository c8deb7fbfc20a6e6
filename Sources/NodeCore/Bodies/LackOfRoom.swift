/// Why a node takes no more of a conversation.
public enum LackOfRoom: Sendable {
    /// The user has not accepted it.
    case unaccepted
    /// What was decided in it takes as much memory as it may.
    case decisions
}
