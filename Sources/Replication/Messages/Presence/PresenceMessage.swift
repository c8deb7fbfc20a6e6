import OperationLog

/// Who is there, and how they are reached.
public enum PresenceMessage: Hashable, Sendable {
    /// Are you there?
    case ping(UInt64)
    /// Yes.
    case pong(UInt64)
    /// The sender asked a device that it watched whether it is there, and got no answer.
    case unreachable(DeviceID)
    /// Asks how the receiver reaches the sender; the answer has the same number.
    case reachabilityWanted(UInt64)
    /// How the sender reaches the receiver, who asked for it by this number.
    case reachability(UInt64, ReachabilityReport)

    static let kinds: [any MessageKind.Type] = [
        PingMessage.self, PongMessage.self, UnreachableMessage.self, ReachabilityWantedMessage.self,
        ReachabilityMessage.self,
    ]

    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .ping(let number): PingMessage.write(number, to: &writer)
        case .pong(let number): PongMessage.write(number, to: &writer)
        case .unreachable(let device): UnreachableMessage.write(device, to: &writer)
        case .reachabilityWanted(let question): ReachabilityWantedMessage.write(question, to: &writer)
        case .reachability(let question, let report): ReachabilityMessage.write(question, report, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int { if case .reachability(_, let report) = self { report.failedDials.count } else { 0 } }
}
