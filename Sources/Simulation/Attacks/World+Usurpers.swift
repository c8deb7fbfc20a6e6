import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Time

extension World {
    /// How many epochs a usurper makes to find one that comes first by its name.
    private static let candidates = 12

    /// Somebody who is out makes the key for the view without them, seals it correctly to everybody in it, and pushes
    /// it.
    func usurp(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        guard !replica.group.isMember(host.user) else {
            // First it must be out.
            guard step.value >= 0, replica.group.members.count > 2 else { return }
            change(host) { core, _ in try? core.write([.leave(pins: [])], in: replica.id) }
            return again(step, in: 300)
        }
        var copy = replica
        let heads = replica.log.membership.heads
        guard let view = copy.view(at: heads), !view.contains(host.device), !view.readers.isEmpty else { return }
        let key = EpochKey.generate(using: &random)
        let wraps = view.readers.compactMap { try? SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        let tip = replica.log.contentFrontier.tips[host.device]?.last
        let epochs = (0..<Self.candidates).compactMap { number -> Operation? in
            let time = Timestamp(clamping: host.moment(at: now).wall.milliseconds + Int64(number))
            let forge = OperationForge(author: host.keys.author, conversation: replica.id, time: time)
            let header = forge.content(.epoch, [], after: tip, under: heads).header
            let commitment = key.commitment(of: header, view: view.id)
            let body = EpochBody(view: view.id, commitment: commitment, wraps: wraps).encoded
            return forge.content(.epoch, body, after: tip, under: heads)
        }
        guard let epoch = epochs.min(by: { $0.id < $1.id }) else { return }
        host.ownKeys[replica.id, default: []].append(key)
        spread([epoch], .content, of: replica.id, by: host, each: 1)
        carry([epoch], .content, of: replica.id, for: host)
    }

    /// Other liars, who may be members, pass on what somebody wrote whom nobody would take it from.
    func carry(_ operations: [Operation], _ lane: Lane, of conversation: ConversationID, for author: Host) {
        for other in hosts where other.isLiar && other !== author && other.core != nil {
            spread(operations, lane, of: conversation, by: other, each: operations.count)
        }
    }
}
