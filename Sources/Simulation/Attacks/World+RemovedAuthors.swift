import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

extension World {
    /// Somebody who is out goes on: messages, complaints and noise, as if they were still in and although they know that they are not;
    /// pushed by themselves, and carried by others.
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
        // They read and type, too.
        var receipt = step
        receipt.value = 3 * step.value
        falsifyReceipts(receipt, by: host)
        var keys = step
        keys.value = 7
        falsifyTyping(keys, by: host)
    }
}
