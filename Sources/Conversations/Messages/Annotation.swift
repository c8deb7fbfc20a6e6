import OperationLog
import Storage
import Time

/// What somebody said about a message, with what decides whether it counts and after what it comes.
public struct Annotation: Hashable, Sendable {
    /// Who said it.
    public let author: UserID
    /// How much say they had.
    public let authorRole: AuthorRole
    /// Whether its author was taken out of the group, or left it, by an operation whose author had not seen it.
    public let isCutOff: Bool
    /// Its place in the order of the conversation.
    public let position: MessagePosition
    /// When its author says it was written.
    public let time: Timestamp
    /// What it wants of the message.
    public let change: AnnotationBody.Change

    /// Describes an annotation.
    public init(
        by author: UserID, authorRole: AuthorRole, isCutOff: Bool, at position: MessagePosition, time: Timestamp,
        change: AnnotationBody.Change
    ) {
        self.author = author
        self.authorRole = authorRole
        self.isCutOff = isCutOff
        self.position = position
        self.time = time
        self.change = change
    }
}
