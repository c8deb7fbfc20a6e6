import Conversations
import Membership
import NodeCore
import OperationLog
import Replication

extension World {
    /// Bodies of the largest size in the membership lane, so many that no message holds them all.
    private static let bloat = 66
    /// How many are written in one commit: a liar's own node has to push them.
    private static let bloatAtOnce = 11

    /// Writes a long membership lane and leaves; then asks everybody for the whole reason why it is out.
    func bloat(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        if replica.group.isMember(host.user), replica.group.members.count > 2 {
            guard replica.group.actingAdmin != host.user, replica.group.role(of: host.user) == .member else { return }
            for _ in 0..<(Self.bloat / Self.bloatAtOnce) {
                let drafts = (0..<Self.bloatAtOnce).map { number in
                    ConversationLog.Draft(
                        type: OperationType(rawValue: 99),
                        body: [UInt8](repeating: UInt8(number), count: Limits.maximumBodyBytes))
                }
                change(host) { core, _ in
                    _ = try? core.write(in: replica.id) { log, author, time throws(MalformedBytes) in
                        try log.write(membership: drafts, by: author, at: time)
                    }
                }
            }
            change(host) { core, _ in try? core.write([.leave(pins: [])], in: replica.id) }
        } else if !replica.log.membership.operations.contains(where: { $0.header.type.rawValue == 99 }) {
            return
        }
        let nothing = ChainPart(of: Frontier(), after: nil)
        spread(.chains(isWanted: true, nothing), about: replica.id, .membership, by: host)
        guard step.value % 8 > 0 else { return }
        again(step, value: step.value % 8 - 1, in: 1_500)
    }
}
