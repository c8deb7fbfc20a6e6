import Foundation

/// The points at which power cuts end nodes: spread over everything a node writes, and elsewhere in every run.
///
/// `MOOT_KILL_POINTS` asks for more of them than a run of all tests has time for.
struct KillPoints: Sendable, CustomStringConvertible {
    /// The points of one test, few enough for its time limit.
    static let each = 50

    /// The tests of this run, together with at least as many points as asked for.
    static let rounds: [KillPoints] = {
        let wanted = ProcessInfo.processInfo.environment["MOOT_KILL_POINTS"].flatMap { Int($0) } ?? each
        let count = max(1, (wanted + each - 1) / each)
        return (0..<count).map { KillPoints(round: $0, of: count, seed: freshSeed) }
    }()

    let round: Int
    let of: Int
    let seed: UInt64

    /// The numbers of calls for some cuts, one in each equal part of a range, and which manner comes with which.
    func cuts(_ count: Int, before end: Int, using random: inout SeededGenerator) -> [PowerCut] {
        let width = Double(end) / Double(count * of)
        return (0..<count).map { index in
            let place = (Double(index * of + round) + .random(in: 0..<1, using: &random)) * width
            let manner = PowerCut.Manner.allCases[(index + round) % PowerCut.Manner.allCases.count]
            return PowerCut(call: 1 + Int(place), manner: manner, seed: random.next())
        }
    }

    var description: String { "round \(round + 1) of \(of), seed \(seed)" }
}
