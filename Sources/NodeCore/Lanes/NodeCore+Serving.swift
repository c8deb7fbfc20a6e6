import Conversations
import OperationLog
import Replication
import Storage

/// Sends peers what they lack, batch after batch, each within the limits that the receiver enforces.
extension NodeCore {
    /// Streams what a peer lacks: batch after batch, each when the one before was taken.
    ///
    /// - Parameters:
    ///   - known: what the peer holds, where this begins an answer.
    ///   - isRestricted: whether the peer gets no more than its user's removal proof.
    mutating func serve(
        _ peer: PeerHandle, conversation: ConversationID, lane: Lane, beyond known: Replicator.Known?,
        isRestricted: Bool
    ) {
        let stream = LaneExchange.Stream(peer: peer, conversation: conversation, lane: lane)
        var batch: Batch?
        do throws(StoreError) {
            batch = try laneExchange.nextBatch(of: stream, beyond: known, isRestricted: isRestricted, in: context)
        } catch {
            note(.notServed(error))
            replicate(.notServed(peer, conversation, lane))
        }
        if let whole = batch, lane == .content {
            let answer = closed(whole, of: conversation, to: peer)
            disclose(answer.operations, of: conversation)
            batch = answer
        }
        replicate(.served(peer, conversation, lane, batch: batch?.encoded))
    }

    /// Says which chains of the membership lane, as a peer names them, end in what is not here.
    mutating func seek(
        _ chains: [PeerMessage.ChainEntry], of conversation: ConversationID, from peer: PeerHandle
    ) {
        guard let held = replicas[conversation]?.log.membership else { return }
        let lacking = chains.filter { chain in chain.tips.contains { !held.contains($0.id) } }.map(\.device)
        replicate(.lacking(peer, conversation, lacking))
    }

    /// A batch without the bodies that are not for a peer. What is for one device of a user is served to all of theirs:
    /// it is closed to those that have no key, and one that was restored from another has.
    private mutating func closed(_ batch: Batch, of conversation: ConversationID, to peer: PeerHandle) -> Batch {
        guard var replica = replicas[conversation], let reader = links[peer]?.identity?.device.user else {
            return batch
        }
        var heads: [OperationID] = []
        var isReader = false
        let closed = batch.withoutBodies { operation in
            if operation.header.membershipHeads != heads {
                heads = operation.header.membershipHeads
                isReader = replica.view(at: heads)?.contains(reader) == true
            }
            return operation.header.type.isClosed && !isReader
        }
        replicas[conversation] = replica
        return closed
    }
}
