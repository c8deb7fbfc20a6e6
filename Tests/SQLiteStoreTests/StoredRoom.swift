import OperationLog
import OperationLogFixtures
import SQLiteStore

/// A room whose whole history is in a store.
struct StoredRoom {
    let directory: TemporaryDirectory
    var room: Room
    var replica: StoredReplica

    var store: ReplicaStore { replica.store }
    var conversation: ConversationID { room.conversation }

    /// Lets a room live and stores its commits in the order they were made.
    init(seed: UInt64, people: Int = 4, steps: Int = 60) throws {
        var random = SplitMix64(seed: seed)
        directory = try TemporaryDirectory()
        room = try Room(people: people, using: &random)
        try room.live(steps: steps, using: &random)
        replica = StoredReplica(of: room.conversation, in: try directory.open())
        for commit in room.commits { try replica.receive(commit) }
    }

    /// The content operations, in the order they were stored.
    var content: [Operation] { room.commits.filter { $0.lane == .content }.flatMap(\.operations) }

    /// All batches that a peer is sent.
    func serve(_ lane: Lane, beyond known: [DeviceID: KnownChain]) throws -> [Batch] {
        var cursor = try store.serve(lane, of: conversation, beyond: known)
        var batches: [Batch] = []
        while let batch = try store.nextBatch(&cursor) { batches.append(batch) }
        return batches
    }
}
