import Blobs
import Conversations
import KeyStore
import Logging
import NodeCore
import OperationLog
import Replication
import Storage
import StreamTransport
import Time

extension Node {
    /// Tells the core what happened, at this moment, and carries out what it asks for.
    @discardableResult
    func change<Value, Failure: Error>(
        _ event: (inout NodeCore, Moment) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { for effect in core.takeEffects() { perform(effect) } }
        return try event(&core, moment)
    }

    /// This moment, for the core.
    var moment: Moment { Moment(monotonic: now, wall: Clock.now) }

    /// Carries out what the core asks for.
    func perform(_ effect: Effect) {
        guard !isStopped else { return }
        switch effect {
        case .send(let peer, let message, let urgency):
            if urgency == .bulk { restIndexing(whileSending: message.count) }
            let isStranger = core.links[peer]?.isStranger ?? true
            if let error = connections[peer]?.send(message, urgency: urgency, isStranger: isStranger) {
                logger.error(
                    "a message was not sent", metadata: ["reason": "\(error)", "kind": "\(message.first ?? 0)"])
            }
        case .close(let peer):
            connections.removeValue(forKey: peer)?.stream.close()
            inboundQueue.close(peer)
        case .recognized(let peer, let conversation, let slot):
            connections[peer]?.preparation.recognize(conversation, slot: slot)
        case .fetching(let peer, let address):
            connections[peer]?.verification.expect(address)
        case .sendChunk(let peer, let address, let index):
            send(chunk: index, of: address, to: peer)
        case .dial(let target):
            dial(target)
        case .dialBack(let device, let place):
            dialBack(device, at: place)
        case .announce(let beacon):
            beacons?.announce(beacon)
        case .answer(let beacon, let place):
            if let address = SocketAddress("\(place)") { beacons?.answer(beacon, to: address) }
        case .wake(let moment):
            wake(at: moment)
        case .deviceCertified:
            becameDevice()
        case .show(let event):
            publish(event)
        case .note(let event):
            log(event)
        }
    }
}
