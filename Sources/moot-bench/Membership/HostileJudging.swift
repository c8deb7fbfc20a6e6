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
        /// Everything one after the other, by the incremental one.
        var incrementalMilliseconds: Double
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
            .cancellations,
            .leaves, .merges:
            [1_000, 10_000]
        }
    }

    private static func row(_ shape: HostileLane.Shape, count: Int) -> Row {
        let operations = HostileLane(shape, count: count).operations
        let full = seconds {
            precondition(!MembershipResolver(evaluating: operations, tieKey: Judging.tieKey).heads.isEmpty)
        }
        var resolver = MembershipResolver<Int, Int>(tieKey: Judging.tieKey)
        let incremental = seconds { for operation in operations { resolver.insert(operation) } }
        return Row(
            shape: shape.rawValue, operations: operations.count, fullMilliseconds: full * 1_000,
            incrementalMilliseconds: incremental * 1_000)
    }
}
