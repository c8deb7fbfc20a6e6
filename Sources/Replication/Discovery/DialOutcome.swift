import OperationLog

/// What became of a dial.
public enum DialOutcome: Hashable, Sendable {
    /// A peer introduced itself, and the connection is over.
    case met
    /// Nobody introduced themselves; with the stable code of the reason.
    case failed(String)
    /// A peer introduced itself, and this node has ended the connection: nothing came any more, or something wrong.
    case givenUp
    /// This node itself answered.
    case ourselves
    /// A device answered with which there is another connection.
    case metElsewhere(DeviceID)
}
