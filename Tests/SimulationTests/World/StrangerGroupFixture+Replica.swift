import NodeCore
import OperationLog
import Testing

extension StrangerGroupFixture {
    /// The group's replica on Alice's node.
    var replica: Replica {
        get throws { try #require(alice.replicas[log.conversation]) }
    }
}
