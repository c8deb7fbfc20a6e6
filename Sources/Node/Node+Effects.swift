import Blobs
import Conversations
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport

extension Node {
    /// Tells the core what happened, at this moment, and carries out what it asks for.
    @discardableResult
    func change<Value, Failure: Error>(
        _ event: (inout NodeCore, Moment) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        defer { for effect in core.takeEffects() { perform(effect) } }
        return try event(&core, Moment(monotonic: now, wall: Clock.now))
    }

    private func perform(_ effect: Effect) {
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
            intake.close(peer)
        case .recognized(let peer, let conversation, let slot):
            connections[peer]?.preparation.recognize(conversation, slot: slot)
        case .fetching(let peer, let address):
            connections[peer]?.verification.expect(address)
        case .sendChunk(let peer, let address, let index):
            send(chunk: index, of: address, to: peer)
        case .dial(let target):
            dial(target)
        case .announce(let beacon):
            beacons?.announce(beacon)
        case .answer(let beacon, let place):
            if let address = SocketAddress("\(place)") { beacons?.answer(beacon, to: address) }
        case .wake(let moment):
            wake(at: moment)
        case .show(let news):
            publish(news)
        case .note(let notice):
            log(notice)
        }
    }

    private func log(_ notice: Notice) {
        switch notice {
        case .connected(let device, let isOutgoing):
            logger.info("connected", metadata: ["device": "\(device)", "outgoing": "\(isOutgoing)"])
        case .connectionEnded(let place, let reason):
            logger.info("a connection ended", metadata: ["from": "\(place)", "reason": "\(reason)"])
        case .connectionClosed(let reason):
            logger.notice("a connection was closed", metadata: ["reason": "\(reason)"])
        case .banned(let device):
            logger.warning(
                "a device broke the protocol and is refused for ten minutes", metadata: ["device": "\(device)"])
        case .batchRefused(let error):
            logger.warning("a batch was refused", metadata: ["reason": "\(error)", "code": "\(error.code)"])
        case .chunkRefused(let error):
            logger.warning("a chunk of a file was refused", metadata: ["reason": "\(error)", "code": "\(error.code)"])
        case .receiptRefused(let error):
            logger.warning("a receipt was refused", metadata: ["reason": "\(error)", "code": "\(error.code)"])
        case .receiptRelearned(let conversation):
            logger.notice(
                "this device had forgotten what it told others of its reading",
                metadata: ["conversation": "\(conversation)"])
        case .operationIgnored(let operation, let reason):
            logger.warning(
                "an operation was ignored for good",
                metadata: ["operation": "\(operation)", "reason": "\(reason.rawValue)"])
        case .notStored(let error):
            logger.error("received operations could not be stored", metadata: ["code": "\(error.code.rawValue)"])
        case .notJudged(let error):
            logger.error("received operations could not be judged", metadata: ["error": "\(error)"])
        case .notServed(let error):
            logger.error("operations could not be read", metadata: ["code": "\(error.code)"])
        case .personNotKept(let error):
            logger.warning("what a person shows could not be kept", metadata: ["error": "\(error)"])
        case .cardRefused(let error):
            logger.warning("a card was refused", metadata: ["reason": "\(error)"])
        case .namesakes(let one, let other):
            logger.warning("two people have one name", metadata: ["one": "\(one)", "other": "\(other)"])
        case .forked(let device):
            logger.warning("a device forked its chain", metadata: ["device": "\(device)"])
        case .homeCopied(let operation):
            logger.error(
                "\(NodeError.homeCopied.message). \(NodeError.homeCopied.hint ?? "")",
                metadata: ["operation": "\(operation)"])
        case .stalled(let conversation, let place):
            logger.warning(
                "sync made no progress; another peer is asked",
                metadata: ["conversation": "\(conversation)", "peer": "\(place.map { "\($0)" } ?? "")"])
        case .keyMissing(let epoch):
            logger.warning("a key does not open; it is asked for again", metadata: ["epoch": "\(epoch)"])
        case .keyReplaced(let counter):
            logger.info("this device has a new key", metadata: ["counter": "\(counter)"])
        case .notErased(let error):
            logger.error("what has expired could not be erased", metadata: ["code": "\(error.code)"])
        case .keysErased(let conversation, let count):
            logger.info(
                "keys that no message needs were erased",
                metadata: ["conversation": "\(conversation)", "keys": "\(count)"])
        case .clockDiffers(let device, let ahead):
            logger.warning(
                "the clock of a device differs from this host's",
                metadata: ["device": "\(device)", "seconds_ahead": "\(ahead / 1_000)"])
        case .ratified(let conversation):
            logger.info(
                "ratified the members of a group after an admin left", metadata: ["conversation": "\(conversation)"])
        }
    }
}
