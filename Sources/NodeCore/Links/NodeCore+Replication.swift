import Conversations
import OperationLog
import Replication

extension NodeCore {
    /// Hands an event to the replicator and carries out what it asks for.
    ///
    /// What is carried out has events of its own. What the replicator asks for then waits until all that it asked for
    /// before is done. It relies on that order: a peer counts tags as they come, and cannot tell what a status is about
    /// that overtakes its tag.
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
        case .seek(let peer, let conversation, let chains):
            seek(chains, of: conversation, from: peer)
        case .forgotten(let conversation): forget(conversation)
        case .heardOf(let conversation, let lane, let message, let peer):
            hear(message, of: conversation, lane, from: peer)
        case .heard(let message, let peer, let verified): hear(message, verified, from: peer)
        case .disconnect(let peer, let reason): disconnect(peer, reason)
        case .ban(let device): ban(device)
        case .wake(let moment): effects.append(.wake(at: moment))
        case .held(let conversation, let number, _): noteHeld(conversation, through: number)
        case .stalled(let peer, let conversation, _): note(.stalled(conversation, Diagnostic.Peer(links[peer])))
        }
    }

    /// Hands what a peer says of a conversation to the machine that it concerns.
    private mutating func hear(
        _ message: ConversationMessage, of conversation: ConversationID, _ lane: Lane, from peer: PeerHandle
    ) {
        switch message {
        case .bodies(.wanted(let ids)): supply(ids, of: conversation, to: peer)
        case .bodies(.found(let bodies)): fill(bodies, in: conversation, from: peer)
        case .receipts(let message): tellReceipts(.heard(message, of: conversation, from: peer))
        case .typing(let signal): hear(typing: signal, in: conversation, from: peer)
        case .blobWanted(let operation): tellFiles(.asked(.operation(operation, in: conversation), by: peer))
        case .own(let message): hear(message, of: conversation, from: peer)
        }
    }

    /// Hands what a peer says, and is about no conversation, to the machine that it concerns.
    private mutating func hear(
        _ message: PeerMessage, _ verified: ReceivedMessage.Verified?, from peer: PeerHandle
    ) {
        switch message {
        case .people(.addresses(let addresses)): tellDiscovery(.told(addresses, by: peer))
        case .people(.parting): hearParting(from: peer)
        case .people(.tombstones(let tombstones)): take(tombstones, from: peer)
        case .cards(let message): tellCards(.heard(message, from: peer))
        case .files(let message): tellFiles(.heard(message, from: peer, verified))
        case .privateState(let message): tellPrivate(.heard(message, from: peer))
        case .presence(.reachabilityWanted(let question)): describeReachability(to: peer, question: question)
        case .presence(.reachability(let question, let report)): learn(report, of: question, from: peer)
        case .sharing(.refusal(let invite, let reason)): tellInviteCodes(.refused(reason, invite, by: peer))
        // The replicator's own.
        case .people, .presence, .sharing, .lane, .statuses, .credit, .conversation: break
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
