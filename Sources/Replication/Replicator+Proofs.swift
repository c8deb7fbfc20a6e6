import Cryptography
import OperationLog
import Time

/// Letting in whoever holds a code: they show their proof to everybody they meet, and members look whether it is good.
///
/// The conversation is named by a tag only, so a stranger learns nothing but that somebody wants to join something.
extension Replicator {
    /// Shows everybody that this node's user may join a conversation.
    mutating func present(
        _ conversation: ConversationID, _ invite: OperationID, _ proof: InviteProof, into effects: inout [Effect]
    ) {
        presented[conversation] = (invite, proof)
        for peer in peers.handles { show(conversation, to: peer, into: &effects) }
    }

    /// Shows a new peer all of it.
    func presentEverything(to peer: PeerHandle, into effects: inout [Effect]) {
        for conversation in presented.keys.sorted() { show(conversation, to: peer, into: &effects) }
    }

    private func show(_ conversation: ConversationID, to peer: PeerHandle, into effects: inout [Effect]) {
        guard let shown = presented[conversation], let state = peers[peer] else { return }
        let tag = ConversationTag(conversation, transcript: state.transcript, role: state.role)
        send(.sharing(.proof(tag, shown.invite, shown.proof)), to: peer, into: &effects)
    }

    /// Takes in a proof, and forgets the oldest beyond the limit.
    ///
    /// Each costs a signature check, so a peer that shows too many too fast is not listened to. That is no offense: how
    /// many codes somebody has tried, nobody counts for them.
    mutating func take(_ shown: ShownProof, from handle: PeerHandle, into effects: inout [Effect]) {
        guard var peer = peers[handle], peer.rates.take(ProofMessage.limit, at: now) else { return }
        peer.proofs.removeAll { $0.tag == shown.tag && $0.invite == shown.invite }
        peer.proofs = peer.proofs.suffix(Self.maximumProofs - 1) + [shown]
        peers[handle] = peer
        for conversation in conversations.keys.sorted() {
            examine(shown, of: handle, for: conversation, into: &effects)
        }
    }

    /// Looks again at what people have shown who are not in a conversation: the invite may have come only now, or its
    /// end.
    func examineProofs(for conversation: ConversationID, into effects: inout [Effect]) {
        for (peer, state) in peers {
            let standing = conversations[conversation]?.audience[state.identity.device.user]
            guard standing == nil || standing == .former else { continue }
            for shown in state.proofs { examine(shown, of: peer, for: conversation, into: &effects) }
        }
    }

    private func examine(
        _ shown: ShownProof, of peer: PeerHandle, for conversation: ConversationID, into effects: inout [Effect]
    ) {
        guard let state = peers[peer] else { return }
        let other: HandshakeState.Role = state.role == .initiator ? .responder : .initiator
        guard shown.tag == ConversationTag(conversation, transcript: state.transcript, role: other) else { return }
        effects.append(.examine(peer, conversation, shown.invite, shown.proof))
    }
}
