import OperationLog
import Time

/// Who may say what, and how much of it; and who is told what is said of a conversation. Asked here, for all kinds of
/// messages.
extension Replicator {
    /// Whether a message is looked at now; what is not is asked for or said again by any honest node.
    mutating func admits(_ message: PeerMessage, of kind: any MessageKind.Type, from peer: PeerHandle) -> Bool {
        for limit in kind.limits(isOutside: isOutside(message, for: peer)) {
            let isTaken = peers[peer]?.rates.take(limit, entries: message.entryCount, at: now)
            guard isTaken == true else { return false }
        }
        return true
    }

    /// Whether a peer is in the conversation of whose lanes it speaks no longer, or not yet.
    private func isOutside(_ message: PeerMessage, for peer: PeerHandle) -> Bool {
        let conversation =
            switch message {
            case .lane(let slot, _): self.conversation(at: slot.slot, of: peer)
            case .statuses(let slot, _, _): self.conversation(at: slot, of: peer)
            default: nil as ConversationID?
            }
        guard let conversation else { return false }
        return isOutside(LaneID(conversation: conversation, lane: .membership), for: peer)
    }

    /// Whether a peer is another device of this node's user, whom its root certified.
    func isOwnDevice(_ peer: PeerHandle) -> Bool { peers[peer]?.identity.device.user == device.user }

    // MARK: - Of a conversation

    /// Whether a peer may say something of a conversation.
    func hears(_ message: ConversationMessage, of id: LaneID, from peer: PeerHandle) -> Bool {
        switch message {
        // It counts once the peer is known as a member.
        case .receipts(.digest): true
        // Also where it is not known here yet that the user is in the conversation.
        case .own: true
        case .bodies, .receipts, .typing, .blobWanted: serves(id, to: peer)
        }
    }

    /// Says something of a conversation to those of some peers who may hear it.
    func say(
        _ message: ConversationMessage, of id: LaneID, to peers: [PeerHandle], urgency: SecureChannel.Urgency,
        into effects: inout [Effect]
    ) {
        for peer in peers where tells(message, of: id, to: peer) {
            guard let slot = slot(id, for: peer) else { continue }
            send(.conversation(slot, message), to: peer, urgency: urgency, into: &effects)
        }
    }

    private func tells(_ message: ConversationMessage, of id: LaneID, to peer: PeerHandle) -> Bool {
        switch message {
        case .own: isOwnDevice(peer)
        // Whoever looked for them knows who may have them.
        case .bodies: true
        case .receipts, .blobWanted: serves(id, to: peer)
        case .typing: reaches(peer, in: id.conversation)
        }
    }

    // MARK: - Introductions

    /// Takes in what a peer says of itself; above the limit the newest of it waits.
    mutating func hear(_ introduction: [UInt8], port: UInt16, from peer: PeerHandle, into effects: inout [Effect]) {
        guard peers[peer]?.rates.take(HelloMessage.limit, at: now) == true else {
            peers[peer]?.waitingHello = (introduction, port)
            if let next = peers[peer]?.rates.next(HelloMessage.limit) { plan(next, for: peer) }
            return
        }
        peers[peer]?.waitingHello = nil
        effects.append(.introduce(peer, introduction, port: port))
    }

    /// Takes in what waited, if it is time.
    mutating func hearWaitingHello(from peer: PeerHandle, into effects: inout [Effect]) {
        guard let (introduction, port) = peers[peer]?.waitingHello else { return }
        hear(introduction, port: port, from: peer, into: &effects)
    }
}
