import OperationLog

/// What two devices of one user say to each other about a conversation. From anybody else each is an offense.
public enum OwnMessage: Hashable, Sendable {
    /// Asks for the keys of epochs.
    case keysWanted([OperationID])
    /// Those of the keys asked for that the sender has.
    case keys([PeerMessage.Key])
    /// How far the user has read.
    case readMarks([PeerMessage.ReadMark])
    /// The user looks at the conversation.
    case opened
    /// For how many days the sender keeps what is written there.
    case retention(days: Int)

    static let kinds: [any MessageKind.Type] = [
        KeysWantedMessage.self, KeysMessage.self, ReadMarksMessage.self, OpenedMessage.self, RetentionMessage.self,
    ]

    func write(_ lane: PeerMessage.LaneSlot, to writer: inout CanonicalWriter) {
        switch self {
        case .keysWanted(let epochs): KeysWantedMessage.write(lane, epochs, to: &writer)
        case .keys(let keys): KeysMessage.write(lane, keys, to: &writer)
        case .readMarks(let marks): ReadMarksMessage.write(lane, marks, to: &writer)
        case .opened: OpenedMessage.write(lane, to: &writer)
        case .retention(let days): RetentionMessage.write(lane, days: days, to: &writer)
        }
    }

    /// How many entries its list has.
    var entryCount: Int {
        switch self {
        case .keys(let keys): keys.count
        case .readMarks(let marks): marks.count
        case .keysWanted, .opened, .retention: 0
        }
    }
}
