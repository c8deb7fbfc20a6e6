import Conversations
import OperationLog
import Replication
import Storage
import Time

/// A clock of another device that differs from this host's by more than people who meet would.
public struct ClockSkew: Hashable, Sendable {
    /// The device.
    public let device: Device
    /// How far it is ahead, in milliseconds; negative where it is behind.
    public let ahead: Int64
}

/// What batches leave behind until others come: those that wait, how far peers have been served, whose clocks differ,
/// and how long messages were on their way.
struct LaneExchange {
    /// A stream of batches to one peer.
    struct Stream: Hashable {
        let peer: PeerHandle
        let conversation: ConversationID
        let lane: Lane
    }

    /// How far a peer has been served what it lacked.
    private struct Progress {
        var cursor: ServingCursor
        /// Whether it gets no more than its user's removal proof.
        let isRestricted: Bool
    }

    /// By how much clocks may differ without a word, in milliseconds.
    static let maximumClockSkew: Int64 = 5 * 60 * 1_000
    /// From what nobody notices to what somebody takes for a lost message.
    private static let delayBounds: [Duration] =
        [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000].map { .milliseconds($0) }

    /// Batches that wait for others.
    var pending = PendingBatches()
    /// How far others are known to hold this device's own chain in membership lanes.
    private(set) var heldDecisions: [ConversationID: UInt64] = [:]
    /// The devices of members whose clocks differ from this host's, as of what each said last.
    private(set) var clockSkews: [DeviceID: ClockSkew] = [:]
    /// How long messages took from being written to being stored here, by both clocks.
    private(set) var liveDelays = DurationHistogram(bounds: Self.delayBounds)
    /// How far peers have been served what they asked for.
    private var servings: [Stream: Progress] = [:]

    /// Forgets a connection that is over.
    mutating func end(_ peer: PeerHandle) { servings = servings.filter { $0.key.peer != peer } }

    // MARK: - What others hold

    /// Reads how far others were known to hold what this device decided.
    mutating func restore(from storage: any ReplicaStorage) throws(StoreError) {
        heldDecisions = try storage.heldDecisions()
    }

    /// Notes how far somebody else holds this device's own chain in a membership lane.
    ///
    /// - Returns: whether that is further than before.
    mutating func noteHeld(_ conversation: ConversationID, through number: UInt64) -> Bool {
        guard number > heldDecisions[conversation] ?? 0 else { return false }
        heldDecisions[conversation] = number
        return true
    }

    // MARK: - Serving

    /// The next batch of what a peer lacks; nil when that was all.
    ///
    /// - Parameters:
    ///   - known: what the peer holds, where this begins an answer.
    ///   - isRestricted: whether the peer gets no more than its user's removal proof.
    mutating func nextBatch(
        of stream: Stream, beyond known: Replicator.Known?, isRestricted: Bool, in context: NodeContext
    ) throws(StoreError) -> Batch? {
        do throws(StoreError) {
            if let known {
                servings[stream] = try Self.begin(stream, beyond: known, isRestricted: isRestricted, in: context)
            }
            // What was begun for a member ends when they are none any more.
            guard var progress = servings.removeValue(forKey: stream), progress.isRestricted == isRestricted else {
                return nil
            }
            let batch = try context.storage.nextBatch(&progress.cursor)
            if batch != nil { servings[stream] = progress }
            return batch
        } catch {
            servings[stream] = nil
            throw error
        }
    }

    private static func begin(
        _ stream: Stream, beyond known: Replicator.Known, isRestricted: Bool, in context: NodeContext
    ) throws(StoreError) -> Progress? {
        guard let replica = context.replicas[stream.conversation] else { return nil }
        let storage = context.storage
        if isRestricted {
            guard let user = context.links[stream.peer]?.identity?.device.user else { return nil }
            let removalProof = replica.removalProof(to: user, beyond: known)
            return Progress(
                cursor: try storage.serve(membership: removalProof, of: stream.conversation), isRestricted: true)
        }
        var chains = known.chains
        for device in replica.log.frontier(of: stream.lane).tips.keys { chains[device] = known.chain(of: device) }
        return Progress(
            cursor: try storage.serve(stream.lane, of: stream.conversation, beyond: chains), isRestricted: false)
    }

    // MARK: - Clocks

    /// Compares the clock of a peer with this host's, by what it says at the moment it is said.
    ///
    /// Only what a device pushes of its own tells that: what was asked for, or written by others, may be old. A clock
    /// decides nothing but where messages stand, so all there is to do is to name it.
    ///
    /// - Returns: what to note, if that is news.
    mutating func compareClock(
        of operations: [Operation], from peer: PeerHandle, in context: NodeContext
    ) -> Diagnostic? {
        guard let device = context.links[peer]?.identity?.device,
            let latest = operations.last(where: { $0.author.id == device.id })
        else { return nil }
        let ahead = latest.header.time.milliseconds - context.moment.wall.milliseconds
        guard abs(ahead) > Self.maximumClockSkew else {
            clockSkews[device.id] = nil
            return nil
        }
        let before = clockSkews.updateValue(ClockSkew(device: device, ahead: ahead), forKey: device.id)
        return before == nil ? .clockDiffers(device.id, ahead: ahead) : nil
    }

    /// Counts how long the messages of a device took that it pushed itself, the moment it wrote them.
    ///
    /// A clock that is named as different says nothing about that.
    mutating func countDelays(of operations: [Operation], from peer: PeerHandle, in context: NodeContext) {
        guard let device = context.links[peer]?.identity?.device, clockSkews[device.id] == nil else { return }
        for operation in operations where operation.author.id == device.id && operation.header.type == .message {
            let delay = context.moment.wall.milliseconds - operation.header.time.milliseconds
            liveDelays.count(.milliseconds(delay))
        }
    }
}
