import OperationLog
import Time

/// When two peers are told what is held of a conversation, and whom.
///
/// What is written is pushed to everybody. That a sample of peers is told as well what is held makes up for whatever a
/// push did not do: the author ended in the middle of it, lied about whom they reached, or a node could not store it.
struct Sampling: Sendable {
    /// How long after the first change since the last sample the next one is, at most.
    static let firstDelay: Duration = .seconds(1)
    /// How much longer the next sample is waited for, each time, where nothing changes.
    static let growth = 4
    /// How long after a sample the next one is at most, where nothing changes.
    static let maximumInterval: Duration = .seconds(1_024)

    /// What is planned for a conversation.
    private struct Plan: Sendable {
        var due: Instant?
        var interval = Sampling.firstDelay
        /// When each device was last told.
        var told: [DeviceID: Instant] = [:]
    }

    private var plans: [ConversationID: Plan] = [:]
    /// When the next sample of any conversation is due; never later than that.
    private(set) var next: Instant?
    /// Decides by chance: nobody else can tell whom.
    private var random: UInt64

    /// Where this node is on the ring of devices: of those who were never told it begins with the next, and others
    /// begin with others.
    private let place: UInt64

    /// Begins without conversations.
    init(of own: DeviceID, seed: UInt64) {
        place = WatchRing.place(of: own)
        random = seed
    }

    /// Plans a sample soon, unless one is planned: whoever writes all the time must not put it off.
    ///
    /// - Returns: when it is due.
    @discardableResult
    mutating func change(_ conversation: ConversationID, at now: Instant, within delay: Duration = firstDelay)
        -> Instant
    {
        // Who all hear of a change at one moment need not all ask at one moment.
        let moment = now + delay * (0.5 + Double(draw(below: 1_024)) / 2_048)
        var plan = plans[conversation] ?? Plan()
        let due = plan.due.map { min($0, moment) } ?? moment
        plan.due = due
        plan.interval = Self.firstDelay
        plans[conversation] = plan
        next = min(next ?? due, due)
        return due
    }

    /// The conversations whose sample is due; the next one of each is planned.
    mutating func due(at now: Instant) -> [ConversationID] {
        guard let next, next <= now else { return [] }
        let due = plans.lazy.filter { $0.value.due.map { $0 <= now } ?? false }.map(\.key).sorted()
        for conversation in due {
            let interval = min(Self.maximumInterval, (plans[conversation]?.interval ?? Self.firstDelay) * Self.growth)
            plans[conversation]?.interval = interval
            plans[conversation]?.due = now + interval
        }
        self.next = plans.values.lazy.compactMap(\.due).min()
        return due
    }

    /// Chooses whom to tell: first the one who was told longest ago, then one by chance.
    mutating func choose<Peer>(
        among peers: [(peer: Peer, device: DeviceID)], of conversation: ConversationID, at now: Instant
    )
        -> [Peer]
    {
        guard var plan = plans[conversation], !peers.isEmpty else { return [] }
        var rest = peers
        let told = { (device: DeviceID) in plan.told[device]?.sinceStart ?? .zero - .seconds(1) }
        let oldest = rest.map { told($0.device) }.min()
        let place = place
        let stalest = rest.indices.filter { told(rest[$0].device) == oldest }
            .map { (distance: WatchRing.place(of: rest[$0].device) &- place, index: $0) }.min { $0 < $1 }?.index
        var chosen = [rest.remove(at: stalest ?? 0)]
        if !rest.isEmpty { chosen.append(rest.remove(at: draw(below: rest.count))) }
        // Only those who are here: the rest is as good as never told.
        plan.told = plan.told.filter { entry in peers.contains { $0.device == entry.key } }
        for entry in chosen { plan.told[entry.device] = now }
        plans[conversation] = plan
        return chosen.map(\.peer)
    }

    /// Forgets a conversation.
    mutating func forget(_ conversation: ConversationID) { plans[conversation] = nil }

    /// A number below `bound` (the high bits of a linear congruential generator; Knuth, MMIX).
    private mutating func draw(below bound: Int) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(random >> 33) % bound
    }
}
