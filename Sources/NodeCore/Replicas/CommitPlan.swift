import Conversations
import OperationLog
import Replication
import Storage

/// Where operations of a commit came from.
enum Origin {
    /// Written by this device.
    case local
    /// Pushed by their author, who did not reach these peers.
    case pushed(unreached: Set<PeerHandle>)
    /// Asked for, or waited for others.
    case fetched

    /// Whether this node is the first that has them.
    var isLocal: Bool {
        switch self {
        case .local: true
        case .pushed, .fetched: false
        }
    }
}

/// What a commit will store and change. Nothing of it holds, and nobody hears of it, before it is stored.
struct CommitPlan {
    /// Where the operations came from.
    let origin: Origin
    /// The conversation as it will be.
    var replica: Replica
    /// Who was in it, and what was decided there before.
    let before: Group
    /// The operations, in the order in which they were written or came.
    let admitted: [AdmittedOperation]
    /// What to store of each lane.
    var lanes: [LaneCommit] = []
    /// The operations of both lanes, without bodies that are for others or have no room.
    var settled: [AdmittedOperation] = []
    /// The operations whose bodies nobody needs any more.
    var erased: Set<OperationID> = []
    /// The operations that are of revoked devices, and not shown.
    var withheld: Set<OperationID> = []
    /// What a client calls the request that they answer; nil for none.
    var request: ClientRequest?
    /// Whether what counts in the membership lane changes.
    var hasConsequences = false

    /// Begins with operations that a log has taken in, of which the replica knows nothing yet.
    init(_ admitted: [AdmittedOperation], log: ConversationLog, of replica: Replica, from origin: Origin) {
        self.origin = origin
        self.admitted = admitted
        self.replica = replica
        before = replica.group
        self.replica.log = log
    }

    /// The operations of both lanes that whoever watches may be told of.
    var shown: [AdmittedOperation] {
        withheld.isEmpty ? settled : settled.filter { !withheld.contains($0.operation.id) }
    }

    /// The operations of one lane; without copying them if, as nearly always, all stand in it.
    func operations(of lane: Lane) -> [AdmittedOperation] {
        let isIn = { (entry: AdmittedOperation) in entry.operation.header.lane == lane }
        return admitted.allSatisfy(isIn) ? admitted : admitted.filter(isIn)
    }
}
