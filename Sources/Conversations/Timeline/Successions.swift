import Membership
import OperationLog

/// Who took over whenever nobody was admin any more.
///
/// Each is derived from the departure that ended the old authority. So it is told before its hero has done anything,
/// and stays when they have: the first operation by which somebody acts as admin has that departure in its past,
/// permanently.
struct Successions: Sendable {
    /// The messages that tell it, in order.
    private(set) var messages: [SystemMessage] = []
    /// The effective operations by which somebody acted as admin.
    private var actings: [OperationID: UserID] = [:]
    private var actingAdmin: UserID?

    /// Takes in operations that count now and did not before, or the other way round.
    ///
    /// - Returns: whether something else is told now.
    /// - Complexity: while nobody ever had to take over O(1) for each; else where an admin may have gone what it costs
    ///   to find the departures, and where somebody acted as admin O(*n*) in the lane from the first departure on.
    mutating func update(at places: [Int], in lane: DecidedLane, actingAdmin: UserID?) -> Bool {
        var isInDoubt = actingAdmin != self.actingAdmin
        self.actingAdmin = actingAdmin
        for entry in places.lazy.map({ lane.history[$0] }) {
            isInDoubt = isInDoubt || entry.isByActingAdmin || entry.mayChangeOffice
            guard entry.isByActingAdmin else { continue }
            actings[entry.operation.id] = entry.voidReason == nil ? entry.operation.author.user : nil
        }
        guard isInDoubt else { return false }
        let found = find(in: lane)
        defer { messages = found }
        return found != messages
    }

    private func find(in lane: DecidedLane) -> [SystemMessage] {
        guard actingAdmin != nil || !actings.isEmpty else { return [] }
        let departures = lane.resolver.officeDepartures.compactMap(lane.entry).sorted { $0.position < $1.position }
        var found: Set<SystemMessage> = []
        let acts = Array(actings)
        let ended = lane.resolver.last(of: departures.map(\.operation.id), inPastsOf: acts.map(\.key))
        for (act, place) in zip(acts, ended) {
            if let place { found.insert(SystemMessage(successionOf: act.value, after: departures[place])) }
        }
        if let actingAdmin, let departure = departures.last {
            found.insert(SystemMessage(successionOf: actingAdmin, after: departure))
        }
        return found.sorted { $0.position < $1.position }
    }
}
