import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

extension World {
    /// Somebody who is out goes on: messages, complaints and noise, as if they were still in and although they know
    /// that they are not; pushed by themselves, and carried by others.
    func linger(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        guard !replica.group.isMember(host.user) else {
            guard replica.group.members.count > 2 else { return }
            change(host) { core, _ in try? core.write([.leave(pins: [])], in: replica.id) }
            return again(step, in: 300)
        }
        let heads = replica.log.membership.heads
        // Under heads from before they were out, or under those that say so.
        let before = heads.flatMap { replica.log.membership[$0]?.header.parents ?? [] }
        let under = step.value % 2 == 0 || before.isEmpty ? heads : Array(Set(before).sorted().prefix(1))
        let forge = forge(of: host, in: replica.id)
        let epochs = replica.epochs.all.values.sorted { $0.id < $1.id }
        var operations: [Operation] = []
        var tip = replica.log.contentFrontier.tips[host.device]?.last
        for number in 0..<(1 + step.value % 12) {
            let epoch = epochs.isEmpty ? nil : epochs[(number + step.other) % epochs.count].id
            let operation =
                switch (number + step.value) % 3 {
                case 0 where epoch != nil: forge.content(.complaint, [], after: tip, under: under, epoch: epoch)
                case 1: forge.content(.message, random.bytes(72), after: tip, under: under, epoch: epoch)
                default: forge.content(.reaction, random.bytes(72), after: tip, under: under, epoch: epoch)
                }
            operations.append(operation)
            tip = operation.tip
        }
        spread(operations, .content, of: replica.id, by: host, each: operations.count)
        carry(operations, .content, of: replica.id, for: host)
        if let one = before.min() { speak(forSomebodyMadeUpBy: host, in: replica, after: one) }
        // They read and type, too.
        var receipt = step
        receipt.value = 3 * step.value
        falsifyReceipts(receipt, by: host)
        var keys = step
        keys.value = 7
        falsifyTyping(keys, by: host)
    }

    /// Somebody who is out brings in a person whom they make up, as if they had heard of nothing since, and says
    /// something in that person's name.
    private func speak(forSomebodyMadeUpBy host: Host, in replica: Replica, after head: OperationID) {
        let addition = { (person: Credentials) in
            { (authority: MembershipBody.Authority) in MembershipBody.add(under: authority, targets: [person]) }
        }
        guard let (author, own) = stranger(), let past = replica.log.membership.past(of: [head]),
            case .granted(let authority)? = replica.group.permission(for: addition(own), by: host.user, after: [head])
        else { return }
        let written = replica.log.membership.operations.last {
            $0.author.id == host.device && replica.log.membership.contains($0.id, in: past)
        }
        let forge = forge(of: host, in: replica.id)
        let added = forge.membership(.add, addition(own)(authority).encoded, after: written?.tip, on: [head])
        let voice = OperationForge(author: author, conversation: replica.id, time: forge.time)
        let said = voice.content(.message, random.bytes(72), under: [added.id])
        for (operation, lane) in [(added, Lane.membership), (said, .content)] {
            spread([operation], lane, of: replica.id, by: host, each: 1)
            carry([operation], lane, of: replica.id, for: host)
        }
    }
}
