import Conversations
import NodeCore
import OperationLog
import Replication

extension World {
    /// A dribbler sends something before a pull is given up for want of progress, in milliseconds.
    private static let dribble = 1_900
    /// How often it does: for longer than a healed network may take to become equal. Values beyond ``dribbling`` count
    /// down.
    private static let drops = 70
    private static let dribbling = 1_000

    /// Offers to answer for a conversation, sends something old now and then, never what is lacking, and is never done.
    ///
    /// It goes on when all else is healed.
    func dribble(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        host.activeAttacks[.dribble] = now + 2 * Self.dribble * 1_000
        spread(.chainsRequest, about: replica.id, .content, by: host)
        if let old = beginning(of: replica.id, at: host) {
            let batch = Batch(lane: .content, operations: old).encoded
            spread(.batch(isAnswer: true, batch), about: replica.id, .content, by: host)
        }
        let left = step.value > Self.dribbling ? step.value - 1 : Self.dribbling + Self.drops
        guard left > Self.dribbling else { return }
        again(step, value: left, in: Self.dribble)
    }

    /// The first operations of some chain, up to a signature: everybody has had them for long.
    private func beginning(of conversation: ConversationID, at host: Host) -> [Operation]? {
        let content = host.disk.image.operations(of: conversation, lane: .content)
        guard let first = content.first(where: { $0.header.previous == nil }) else { return nil }
        var part = [first]
        for operation in content where part.last?.signature == nil && operation.header.previous == part.last?.id {
            part.append(operation)
        }
        return part.last?.signature == nil ? nil : part
    }
}
