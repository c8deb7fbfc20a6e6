import Cryptography
import OperationLog

/// Carries receipts, and what is said of them, between members. Who gets which is decided by whoever knows whose messages they are about.
extension Replicator {
    private func slot(_ conversation: ConversationID, servedTo peer: PeerHandle) -> PeerMessage.LaneSlot? {
        let id = LaneID(conversation: conversation, lane: .content)
        return serves(id, to: peer) ? slot(id, for: peer) : nil
    }

    /// Sends receipts to a member.
    ///
    /// - Parameter absent: the devices for which the member is to keep this device's own.
    mutating func send(
        _ receipts: [[UInt8]], of conversation: ConversationID, to peer: PeerHandle, absent: [DeviceID] = [],
        urgency: SecureChannel.Urgency = .live, into effects: inout [Effect]
    ) {
        guard !receipts.isEmpty, let slot = slot(conversation, servedTo: peer) else { return }
        send(.receipts(slot, receipts, absent: absent), to: peer, urgency: urgency, into: &effects)
    }

    /// Tells a member what is held.
    mutating func tell(
        _ digest: Digest, ofReceiptsOf conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard let slot = slot(conversation, servedTo: peer), let transcript = peers[peer]?.transcript else { return }
        send(.receiptDigest(slot, ReceiptDigest(of: digest, transcript: transcript)), to: peer, into: &effects)
    }

    /// Names to a member what is held.
    mutating func tell(
        _ versions: [ReceiptVersion], of conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]
    ) {
        guard let slot = slot(conversation, servedTo: peer) else { return }
        send(.receiptVersions(slot, versions), to: peer, into: &effects)
    }

    /// Hears what a peer holds. It counts once the peer is known as a member.
    func hear(
        _ digest: ReceiptDigest, ofReceiptsOf conversation: ConversationID, from peer: PeerHandle,
        into effects: inout [Effect]
    ) {
        guard let transcript = peers[peer]?.transcript else { return }
        effects.append(
            .compareReceipts(peer, conversation, HeardReceiptDigest(digest: digest, transcript: transcript)))
    }
}
