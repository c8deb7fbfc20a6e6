import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Time

extension World {
    /// The most records that are issued in one step.
    private static let reissues = 640

    /// Issues its identity record again and again, each time with new devices, and lets every device write something:
    /// chains without end.
    ///
    /// As many records as the value of the step says, of seven new devices each.
    func reissue(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core), replica.group.isMember(host.user),
            let root = host.keys.root
        else { return }
        let heads = replica.log.membership.heads
        var operations: [Operation] = []
        for number in 0..<(1 + step.value % Self.reissues) {
            let authors = (1..<IdentityRecord.maximumDevices).map { _ in
                Author(user: host.user, key: SigningKey.generate(using: &random))
            }
            let record = IdentityRecord(
                root: root, serial: UInt64(2 + number + step.at),
                devices: ([host.keys.author] + authors).map { .init(device: $0.device, name: "many") })
            let body = MembershipBody.device(own: Credentials(identity: record, wraps: [])).encoded
            let time = host.moment(at: now).wall
            operations += authors.map {
                OperationForge(author: $0, conversation: replica.id, time: time).membership(.device, body, on: heads)
            }
        }
        spread(operations, .membership, of: replica.id, by: host, each: Limits.maximumBatchChains)
    }
}
