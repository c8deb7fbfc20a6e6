import OperationLog

/// Notices that others have what this device decided: of the content lane receipts tell that, of the membership lane
/// what peers say they hold.
extension Replicator {
    /// Whether a peer is a member other than this device's user.
    private func isOtherMember(_ peer: PeerHandle, of conversation: ConversationID) -> Bool {
        guard let user = peers[peer]?.identity.device.user, user != device.user else { return false }
        return conversations[conversation]?.audience[user] == .member
    }

    /// Notes that a peer says it holds all that is here of a lane.
    func noteEqual(_ id: LaneID, _ peer: PeerHandle, into effects: inout [Effect]) {
        guard let frontier = lanes[id]?.frontier else { return }
        noteHeld(id, frontier.sequenceNumber(of: device.id), by: peer, into: &effects)
    }

    /// Notes how far a peer says it holds this device's own chain.
    func noteHeld(_ id: LaneID, _ number: UInt64, by peer: PeerHandle, into effects: inout [Effect]) {
        guard id.lane == .membership, number > 0, isOtherMember(peer, of: id.conversation) else { return }
        let written = lanes[id]?.frontier.sequenceNumber(of: device.id) ?? 0
        effects.append(.held(id.conversation, through: min(number, written), by: peer))
    }

    /// Notes that a peer asks for the chains of a lane. A member asks that of somebody who is out, so they have what
    /// took this device's user out: it is served nothing more by which they could say so.
    func noteAskedAsFormer(_ id: LaneID, _ peer: PeerHandle, into effects: inout [Effect]) {
        guard conversations[id.conversation]?.audience[device.user] == .former else { return }
        noteEqual(id, peer, into: &effects)
    }
}
