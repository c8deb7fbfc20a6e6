import Conversations
import OperationLog
import Replication

extension NodeCore {
    /// Hands an event to the replicator and carries out what it asks for.
    ///
    /// What is carried out has events of its own. What the replicator asks for then waits until all that it asked for before is done. It
    /// relies on that order: a peer counts tags as they come, and cannot tell what a status is about that overtakes its tag.
    mutating func replicate(_ event: Replicator.Event) {
        let requests = replicator.handle(event, at: now)
        guard replicatorRequests == nil else {
            replicatorRequests?.append(contentsOf: requests)
            return
        }
        replicatorRequests = requests[...]
        while let request = replicatorRequests?.popFirst() { perform(request) }
        replicatorRequests = nil
    }

    private mutating func perform(_ effect: Replicator.Effect) {
        switch effect {
        case .send(let peer, let message, let urgency):
            effects.append(.send(peer, message, urgency))
        case .admit(let peer, let conversation, let lane, let bytes, let verified, let delivery):
            admit(bytes, verified: verified, to: conversation, lane: lane, from: peer, delivery)
        case .serve(let peer, let conversation, let lane, let known, let isRestricted):
            serve(peer, conversation: conversation, lane: lane, beyond: known, isRestricted: isRestricted)
        case .open(let conversation, let root, let peer):
            open(conversation, root: root, from: peer)
        case .recognized(let peer, let conversation, let slot):
            recognized(conversation, by: peer, at: slot)
        case .introduce(let peer, let introduction, let port):
            introduce(peer, introduction, port: port)
        case .examine(let peer, let conversation, let invite, let proof):
            examine(proof, of: invite, to: conversation, from: peer)
        case .refused(let peer, let invite, let reason):
            tellInviteCodes(.refused(reason, invite, by: peer))
        case .seek(let peer, let conversation, let chains):
            seek(chains, of: conversation, from: peer)
        case .supply(let peer, let conversation, let ids):
            supply(ids, of: conversation, to: peer)
        case .fill(let peer, let conversation, let bodies):
            fill(bodies, in: conversation, from: peer)
        case .heardOwn(let peer, let conversation, let word): hear(word, of: conversation, from: peer)
        case .heardPrivate(let peer, let word): tellPrivate(.heard(word, from: peer))
        case .overhear(let peer, let conversation, let signal):
            hear(typing: signal, in: conversation, from: peer)
        case .parting(let peer): hearParting(from: peer)
        case .describeReachability(let peer, let question): describeReachability(to: peer, question: question)
        case .learnReachability(let peer, let question, let report): learn(report, of: question, from: peer)
        case .takeTombstones(let peer, let tombstones): take(tombstones, from: peer)
        case .learned(let peer, let addresses): tellDiscovery(.told(addresses, by: peer))
        case .forgotten(let conversation): forget(conversation)
        case .findReceipts(let peer, let conversation, let versions):
            tellReceipts(.wanted(of: conversation, beyond: versions, by: peer))
        case .compareReceipts(let peer, let conversation, let digest):
            tellReceipts(.compared(digest, of: conversation, with: peer))
        case .takeReceipts(let peer, let conversation, let receipts, let absent):
            tellReceipts(.received(receipts, of: conversation, from: peer, absent: absent))
        case .findBlobs(let peer, let conversation, let operation):
            tellFiles(.asked(.operation(operation, in: conversation), by: peer))
        case .findPhoto(let peer, let user): tellFiles(.asked(.card(user), by: peer))
        case .learnBlob(let peer, let root, let bits): tellFiles(.chunksHeld(bits, of: root, by: peer))
        case .findChunks(let peer, let root, let indices):
            tellFiles(.chunksWanted(indices, of: root, by: peer))
        case .takeChunk(let peer, let root, let bytes, let verified):
            tellFiles(.chunkReceived(bytes, of: root, from: peer, verified: verified))
        case .compareCards(let peer, let digest): tellCards(.compared(digest, with: peer))
        case .findCards(let peer, let part): tellCards(.asked(part, by: peer))
        case .takeCards(let peer, let cards): tellCards(.received(cards, from: peer))
        case .disconnect(let peer, let reason): disconnect(peer, reason)
        case .ban(let device): ban(device)
        case .wake(let moment): effects.append(.wake(at: moment))
        case .held(let conversation, let number, _): noteHeld(conversation, through: number)
        case .stalled(let peer, let conversation, _): note(.stalled(conversation, Diagnostic.Peer(links[peer])))
        }
    }

    private mutating func ban(_ device: DeviceID) {
        let link = links.handle(of: device).flatMap { links[$0] }
        note(.banned(device, Diagnostic.Peer(link)), isStranger: link?.isStranger ?? true)
        tellDiscovery(.banned(device))
    }

    /// Tells everybody that both sides of a connection know a conversation now.
    private mutating func recognized(_ conversation: ConversationID, by peer: PeerHandle, at slot: Int) {
        effects.append(.recognized(peer, conversation, slot: slot))
        showTombstones(of: conversation, to: peer)
        tellDiscovery(.shared(peer))
        tellFiles(.shared(peer, conversation))
        tellCards(.shared(peer, conversation))
        tellReceipts(.shared(peer, conversation))
        meetOwnDevice(peer, in: conversation)
    }

    /// Ends a connection that leads nowhere any more, or elsewhere than it should.
    mutating func disconnect(_ peer: PeerHandle, _ reason: String) {
        note(
            .connectionClosed(Diagnostic.Peer(links[peer]), reason: reason),
            isStranger: links[peer]?.isStranger ?? true)
        close(peer, .givenUp)
    }
}
