import OperationLog

/// How far a peer has been served what it lacked of one lane.
///
/// A cursor covers what the lane held when it was made; later operations are for live push and the next comparison. It
/// is small whatever the lane's size: a peer lacks long stretches of arrivals, rarely scattered ones.
public struct ServingCursor: Sendable {
    /// The conversation.
    public let conversation: ConversationID
    /// The lane.
    public let lane: Lane
    /// Places in the order of arrival that are still to be served, ascending.
    public private(set) var stretches: ArraySlice<ClosedRange<Int64>>

    /// How many operations are still to be served.
    public var remaining: Int { stretches.reduce(0) { $0 + $1.count } }

    /// Covers arrivals given in any order.
    public init(conversation: ConversationID, lane: Lane, arrivals: [Int64]) {
        self.conversation = conversation
        self.lane = lane
        var stretches: [ClosedRange<Int64>] = []
        for arrival in arrivals.sorted() {
            if let last = stretches.last, last.upperBound &+ 1 == arrival {
                stretches[stretches.count - 1] = last.lowerBound...arrival
            } else {
                stretches.append(arrival...arrival)
            }
        }
        self.stretches = stretches[...]
    }

    /// Drops everything up to an arrival.
    public mutating func advance(past arrival: Int64) {
        while let first = stretches.first, first.lowerBound <= arrival {
            stretches.removeFirst()
            if first.upperBound > arrival {
                stretches = [arrival + 1...first.upperBound] + stretches
                return
            }
        }
    }
}
