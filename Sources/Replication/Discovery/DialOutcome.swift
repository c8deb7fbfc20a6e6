import OperationLog

/// What became of a dial.
public enum DialOutcome: Hashable, Sendable {
    /// A peer introduced itself, and the connection is over.
    case met
    /// Nobody introduced themselves, or this node has given up who did; with the stable code of the reason.
    case failed(String)
    /// This node itself answered.
    case ourselves
    /// A device answered with which there is another connection. A place that the user named is looked at again: somebody else may be there
    /// tomorrow.
    case metElsewhere(DeviceID)
}
