import Conversations
import Cryptography
import Membership
import NodeCore
import OperationLog
import Replication

extension World {
    /// Who has somebody else's device goes on with it from the heads at which they got it, as if it had not been
    /// revoked since: messages that its user's peers can open, and what only the user decides. They push it themselves,
    /// and others carry it.
    func steal(_ step: Step, by host: Host) {
        guard let core = host.core else { return }
        for replica in core.replicas.values where host.stolenHeads[replica.id] == nil {
            host.stolenHeads[replica.id] = replica.log.membership.heads
        }
        guard let replica = group(of: step, known: core), let heads = host.stolenHeads[replica.id] else { return }
        let forge = forge(of: host, in: replica.id)
        let messages = stolenMessages(1 + step.value % 3, with: forge, in: replica, under: heads, step, by: host)
        if !messages.isEmpty {
            spread(messages, .content, of: replica.id, by: host, each: messages.count)
            carry(messages, .content, of: replica.id, for: host)
        }
        let victim = hosts[step.other % hosts.count].user
        let grant = ownGrant(of: host.user, in: replica)
        let choices: [MembershipBody] =
            [.leave(pins: []), .stepdown]
            + (grant.map { grant in
                [
                    .remove(under: grant, target: victim, pins: []),
                    .promote(under: grant, target: victim, role: .admin),
                    .set(under: grant, field: Group.nameField, value: "stolen \(step.at)"),
                ]
            } ?? [])
        let body = choices[step.value % choices.count]
        let tip = replica.log.membershipFrontier.tips[host.device]?.last
        let decision = forge.membership(body.type, body.encoded, after: tip, on: heads)
        spread([decision], .membership, of: replica.id, by: host, each: 1)
        carry([decision], .membership, of: replica.id, for: host)
    }

    /// Messages under a key that the device had, for the view of old heads if it had that one.
    private func stolenMessages(
        _ count: Int, with forge: OperationForge, in replica: Replica, under heads: [OperationID], _ step: Step,
        by host: Host
    ) -> [Operation] {
        var copy = replica
        let view = copy.view(at: heads)
        let epochs = replica.epochs.all.values.sorted { $0.id < $1.id }
        let fitting = epochs.filter { $0.view.id == view?.id }
        for epoch in fitting + epochs {
            guard case .held(let key) = epoch.key else { continue }
            var tip = replica.log.contentFrontier.tips[host.device]?.last
            return (0..<count).compactMap { number in
                guard let text = MessageBody(text: "stolen \(step.at).\(number)")?.encoded else { return nil }
                let blank = [UInt8](repeating: 0, count: EpochKey.bodyLength(of: text))
                // What is sealed is bound to all of the header but the digest.
                let header = forge.content(.message, blank, after: tip, under: heads, epoch: epoch.id).header
                let body = key.seal(text, for: header, nonce: random.bytes(ExtendedNonceCipher.nonceByteCount))
                let message = forge.content(.message, body, after: tip, under: heads, epoch: epoch.id)
                tip = message.tip
                return message
            }
        }
        return []
    }
}
