import OperationLog

/// What the devices of one user tell each other alone.
extension Replicator {
    /// What one of them says of a conversation.
    public enum OwnWord: Hashable, Sendable {
        /// It wants the keys of epochs.
        case keysWanted([OperationID])
        /// It has these keys.
        case keys([PeerMessage.Key])
        /// The user has read so far.
        case readMarks([PeerMessage.ReadMark])

        func message(_ slot: PeerMessage.LaneSlot) -> PeerMessage {
            switch self {
            case .keysWanted(let epochs): .keysWanted(slot, epochs)
            case .keys(let keys): .keys(slot, keys)
            case .readMarks(let marks): .readMarks(slot, marks)
            }
        }
    }

    /// Whether a peer is another device of this node's user, whom its root certified.
    private func isOwnDevice(_ peer: PeerHandle) -> Bool { peers[peer]?.identity.device.user == device.user }

    /// Takes in what a device of this user says of a conversation. Nobody else has a reason to say it.
    mutating func hear(
        _ word: OwnWord, of slot: PeerMessage.LaneSlot, from peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard isOwnDevice(peer) else { return offend(peer, "speaks as a device of this user", into: &effects) }
        // Also where it is not known here yet that the user is in the conversation.
        guard let id = lane(slot, of: peer) else { return }
        effects.append(.heardOwn(peer, id.conversation, word))
    }

    /// Says something of a conversation to another device of this user.
    mutating func tell(
        _ word: OwnWord, of conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        let id = LaneID(conversation: conversation, lane: .content)
        guard isOwnDevice(peer), let slot = slot(id, for: peer) else { return }
        send(word.message(slot), to: peer, into: &effects)
    }
}
