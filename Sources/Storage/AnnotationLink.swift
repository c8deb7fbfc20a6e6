import OperationLog

/// Where an annotation leads. What it says of the message stays closed on the disk.
public enum AnnotationLink: Hashable, Sendable {
    /// To the message of this name, whether or not that is here.
    case message(OperationID)
    /// Nowhere: it is none, and will never be.
    case nowhere
}
