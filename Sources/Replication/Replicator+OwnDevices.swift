import OperationLog
import Time

/// What the devices of one user tell each other alone.
extension Replicator {
    /// Whether a peer is another device of this node's user, whom its root certified.
    private func isOwnDevice(_ peer: PeerHandle) -> Bool { peers[peer]?.identity.device.user == device.user }

    /// Takes in what a device of this user says of a conversation. Nobody else has a reason to say it.
    mutating func hear(
        _ word: PeerMessage.OwnWord, of slot: PeerMessage.LaneSlot, from peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard isOwnDevice(peer) else { return offend(peer, "speaks as a device of this user", into: &effects) }
        // Also where it is not known here yet that the user is in the conversation.
        guard let id = lane(slot, of: peer) else { return }
        effects.append(.heardOwn(peer, id.conversation, word))
    }

    /// Takes in what a device of this user says of the user's private state. Nobody else has a reason to say it.
    mutating func hear(_ word: PrivateWord, from peer: PeerHandle, into effects: inout [Effect]) {
        guard isOwnDevice(peer) else { return offend(peer, "speaks as a device of this user", into: &effects) }
        effects.append(.heardPrivate(peer, word))
    }

    /// Says something of a conversation to another device of this user.
    mutating func tell(
        _ word: PeerMessage.OwnWord, of conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        let id = LaneID(conversation: conversation, lane: .content)
        guard isOwnDevice(peer), let slot = slot(id, for: peer) else { return }
        send(.own(slot, word), to: peer, into: &effects)
    }

    /// Whether there is room for what a device of this user says of their private state.
    mutating func admits(_ word: PrivateWord, from peer: PeerHandle, at now: Instant) -> Bool {
        switch word {
        case .digest: peers[peer]?.tokenBuckets.own.digests.take(at: now) ?? false
        case .summary: peers[peer]?.tokenBuckets.own.summaries.take(at: now) ?? false
        case .versions: peers[peer]?.tokenBuckets.own.versions.take(at: now) ?? false
        case .states(let entries):
            peers[peer]?.tokenBuckets.own.stateMessages.take(at: now) == true
                && peers[peer]?.tokenBuckets.own.states.take(entries.count, at: now) == true
        }
    }
}
