import Conversations
import OperationLog
import Replication
import SQLiteStore

/// A stream of batches to one peer.
struct ServingKey: Hashable {
    let peer: PeerHandle
    let conversation: ConversationID
    let lane: Lane
}

extension Node {
    /// Hands an event to the replicator and carries out what it asks for.
    func replicate(_ event: Replicator.Event) {
        guard !isStopped else { return }
        for effect in replicator.handle(event, at: now, using: &random) { perform(effect) }
    }

    private func perform(_ effect: Replicator.Effect) {
        switch effect {
        case .send(let peer, let message, let urgency):
            links[peer]?.connection.send(message, urgency: urgency)
        case .admit(let peer, let conversation, let lane, let bytes):
            admit(bytes, to: conversation, lane: lane, from: peer)
        case .serve(let peer, let conversation, let lane, let known, let isRestricted):
            serve(peer, conversation: conversation, lane: lane, beyond: known, isRestricted: isRestricted)
        case .openConversation(let conversation, let root, _):
            open(conversation, root: root)
        case .introduce(let peer, let card, let port):
            introduce(peer, card: card, port: port)
        case .learned(let addresses):
            for entry in addresses { directory.learn(entry.address, of: entry.device, at: now) }
        case .disconnect(let peer, let reason):
            logger.notice("connection closed", metadata: ["reason": "\(reason)"])
            links[peer]?.connection.close()
        case .ban(let device):
            logger.warning("a device broke the protocol and is refused for ten minutes", metadata: ["device": "\(device)"])
            directory.ban(device, at: now)
        case .wake(let moment):
            wake(at: moment)
        case .stalled(let conversation, let peer):
            logger.warning(
                "sync makes no progress", metadata: ["conversation": "\(conversation)", "peer": "\(peer.rawValue)"])
        }
    }
}
