import Conversations
import NodeCore
import OperationLog
import Replication

extension World {
    /// More branches than a message of the first nodes might name.
    private static let branches = 257

    /// Forks its chain into very many branches.
    func branch(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core), replica.group.isMember(host.user)
        else { return }
        let forge = forge(of: host, in: replica.id)
        let count = Self.branches + step.value % 40
        let heads = replica.log.membership.heads
        let branches = (0..<count).map { number in
            forge.content(.message, Array("branch \(step.at).\(number)".utf8), under: heads)
        }
        spread(branches, .content, of: replica.id, by: host, each: Limits.maximumBatchChains)
    }
}
