import Conversations
import NodeCore
import OperationLog

extension World {
    /// The honest hosts that run.
    private var honest: [Host] { hosts.filter { !$0.isLiar && $0.core != nil } }

    /// Whether all honest hosts agree on every conversation.
    var isConverged: Bool { hosts.allSatisfy { $0.isLiar || $0.core != nil } && conversations.allSatisfy { disagreement(on: $0) == nil } }

    /// In what honest hosts disagree about a conversation; nil if in nothing.
    ///
    /// Members must hold the same; who one of them calls a member must be one of them; and nobody else may think he is.
    func disagreement(on conversation: ConversationID) -> String? {
        let held = honest.compactMap { host in host.core?.replicas[conversation].map { (host: host, replica: $0) } }
        let members = held.filter { $0.replica.group.isMember($0.host.user) }
        guard let first = members.first else { return nil }
        for (host, replica) in members where replica.digest != first.replica.digest {
            return "\(host.name) and \(first.host.name) hold different operations "
                + "(\(replica.operationCount) and \(first.replica.operationCount))"
        }
        for host in honest where first.replica.group.isMember(host.user) {
            guard members.contains(where: { $0.host.index == host.index }) else {
                return "\(first.host.name) calls \(host.name) a member, who does not know it"
            }
        }
        for (host, _) in members where !first.replica.group.isMember(host.user) {
            return "\(host.name) takes himself for a member, \(first.host.name) does not"
        }
        return nil
    }
}
