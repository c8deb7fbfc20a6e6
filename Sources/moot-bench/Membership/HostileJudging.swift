import Membership
import MembershipScenarios

/// How long it takes to judge lanes that somebody wrote to make that slow.
struct HostileJudging: Codable {
    /// The figures for one shape and size.
    struct Row: Codable {
        /// What the lane is full of.
        var shape: String
        /// Operations in the lane.
        var operations: Int
        /// Everything at once, by the plain evaluation.
        var fullMilliseconds: Double
        /// Everything one after the other, by the incremental one, and then who is in the group.
        var incrementalMilliseconds: Double
        /// The same with that question after each operation; only for short lanes, because the answer to it may be long
        /// each time.
        var askedMilliseconds: Double?
    }

    var rows: [Row]

    /// Judges every shape, for about a minute.
    static func measure() -> HostileJudging {
        HostileJudging(
            rows: HostileLane.Shape.allCases.flatMap { shape in sizes(of: shape).map { row(shape, count: $0) } })
    }

    /// A `ratify` names 510 people: 10,000 of them are 5 million entries.
    private static func sizes(of shape: HostileLane.Shape) -> [Int] {
        switch shape {
        case .ratifications, .staleRatifications: [1_000, 2_000]
        case .turns, .twoDevices, .demotions, .removals, .flips, .returns, .delegation, .settings, .codes,
            .cancellations, .leaves, .merges, .devices:
            [1_000, 10_000]
        }
    }

    private static func row(_ shape: HostileLane.Shape, count: Int) -> Row {
        let operations = HostileLane(shape, count: count).operations
        let full = seconds {
            precondition(!MembershipResolver(evaluating: operations, tieBreaker: Judging.tieBreaker).heads.isEmpty)
        }
        let incremental = seconds { judge(operations, isAskedAfterEach: false) }
        let asked = count <= 1_000 ? seconds { judge(operations, isAskedAfterEach: true) } : nil
        return Row(
            shape: shape.rawValue, operations: operations.count, fullMilliseconds: full * 1_000,
            incrementalMilliseconds: incremental * 1_000, askedMilliseconds: asked.map { $0 * 1_000 })
    }

    private static func judge(_ operations: [HostileLane.Operation], isAskedAfterEach: Bool) {
        var resolver = MembershipResolver<Int, Int, Int>(tieBreaker: Judging.tieBreaker)
        for operation in operations {
            resolver.insert(operation)
            if isAskedAfterEach { resolver.settle() }
        }
        resolver.settle()
    }
}
