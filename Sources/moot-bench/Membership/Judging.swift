import Membership

/// How long it takes to decide who is in a group.
struct Judging: Codable {
    /// The figures for one size of lane.
    struct Row: Codable {
        /// Operations in the lane.
        var operations: Int
        /// How many of them are void.
        var void: Int
        /// Everything at once, by the plain evaluation.
        var fullMilliseconds: Double
        /// Everything one after the other, by the incremental one.
        var incrementalMilliseconds: Double
        /// One more operation on top of all heads: median.
        var headMicroseconds: Double
        /// The removal of an admin by the founder, written at half of the lane and received at its end.
        var lateRemovalMilliseconds: Double
        /// How many operations that removal voids.
        var overturned: Int
    }

    var rows: [Row]

    /// Judges lanes of several sizes, for some seconds.
    static func measure() -> Judging {
        Judging(rows: [100, 1_000, 10_000, 100_000].map(row))
    }

    private static func row(_ count: Int) -> Row {
        var lane = BusyLane(count: count)
        let operations = lane.operations
        let full = seconds {
            precondition(MembershipResolver(evaluating: operations, tieBreaker: tieBreaker).heads.count <= 2)
        }
        var resolver = MembershipResolver<Int, Int, Int>(tieBreaker: tieBreaker)
        let incremental = seconds {
            for operation in operations { resolver.insert(operation) }
            resolver.settle()
        }

        let void = resolver.void.count
        let removal = BusyLane.Operation(
            id: -1, author: 0, parents: [count / 2], action: .remove(.grant(0, slot: 0), BusyLane.admins.upperBound))
        var late: [Double] = []
        var overturned = 0
        for _ in 0..<5 {
            var copy = resolver
            // The first change of a copy copies: that is no part of judging.
            lane = BusyLane(count: count)
            lane.live()
            if let next = lane.operations.last { judge(next, in: &copy) }
            late.append(seconds { judge(removal, in: &copy) } * 1_000)
            overturned = copy.void.count - void
        }
        for _ in 0..<200 { lane.live() }
        let heads = lane.operations.dropFirst(count).map { operation in
            seconds { judge(operation, in: &resolver) } * 1_000_000
        }
        return Row(
            operations: count, void: void, fullMilliseconds: full * 1_000,
            incrementalMilliseconds: incremental * 1_000, headMicroseconds: Statistics(heads).median,
            lateRemovalMilliseconds: Statistics(late).median, overturned: overturned)
    }

    private static func judge(_ operation: BusyLane.Operation, in resolver: inout MembershipResolver<Int, Int, Int>) {
        resolver.insert(operation)
        resolver.settle()
    }

    /// Orders the people of the lane by number.
    @Sendable static func tieBreaker(_ person: Int) -> TieBreaker {
        TieBreaker((0..<8).map { UInt8(truncatingIfNeeded: person >> (56 - 8 * $0)) })
    }
}
