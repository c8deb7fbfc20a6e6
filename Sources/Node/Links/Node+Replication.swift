import Conversations
import Logging
import OperationLog
import Replication
import SQLiteStore
import StreamTransport

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
        for effect in replicator.handle(event, at: now) { perform(effect) }
    }

    private func perform(_ effect: Replicator.Effect) {
        switch effect {
        case .send(let peer, let message, let urgency):
            links[peer]?.send(message, urgency: urgency)
        case .admit(let peer, let conversation, let lane, let bytes):
            admit(bytes, to: conversation, lane: lane, from: peer)
        case .serve(let peer, let conversation, let lane, let known, let isRestricted):
            serve(peer, conversation: conversation, lane: lane, beyond: known, isRestricted: isRestricted)
        case .open(let conversation, let root, _):
            open(conversation, root: root)
        case .introduce(let peer, let card, let port):
            introduce(peer, card: card, port: port)
        case .learned(let addresses):
            for entry in addresses { directory.learn(entry.address, of: entry.device, at: now) }
            scheduleWake()
        case .holds(let device, let conversation, let number):
            holds(device, conversation, through: number)
        case .disconnect(let peer, let reason):
            logger.notice("a connection was closed", metadata: ["reason": "\(reason)"])
            close(peer)
        case .ban(let device):
            logger.warning(
                "a device broke the protocol and is refused for ten minutes", metadata: ["device": "\(device)"])
            directory.ban(device, at: now)
        case .wake(let moment):
            wake(at: moment)
        case .stalled(let peer, let conversation, _):
            logger.warning(
                "sync made no progress; another peer is asked",
                metadata: ["conversation": "\(conversation)", "peer": "\(links[peer]?.address ?? "")"])
        }
    }

    /// Notes that another device holds what this one wrote.
    private func holds(_ device: DeviceID, _ conversation: ConversationID, through number: UInt64) {
        guard holders[conversation]?[device] ?? 0 < number else { return }
        holders[conversation, default: [:]][device] = number
        publish(type: "conversation", in: conversation)
    }
}
