import Foundation
import ReplicatedTypes

/// How much an observed-remove set of 1,000 elements from 16 replicas does a second, against a plain set of the
/// standard library that does the same with the same elements, in a scattered order.
struct SetThroughput: Codable {
    /// What both kinds of sets do.
    struct Operations: Codable {
        /// Elements added, half of them new and half in the set already.
        var insertionsPerSecond: Double
        /// Elements removed, all of them in the set.
        var removalsPerSecond: Double
        /// Elements asked for, half of them in the set.
        var lookupsPerSecond: Double
    }

    var observedRemove: Operations
    var plain: Operations
    /// Deltas of additions and removals merged a second, in the order in which they were made.
    var deltasPerSecond: Double
    /// Merges a second of two sets of 1,000 elements that differ in 32 of them.
    var mergesPerSecond: Double
    /// Deltas a second for one who lacks those 32 elements.
    var deltasSincePerSecond: Double

    private static let elements = 1_000
    private static let replicas = 16
    private static let rounds = 300

    /// Measures for about a second.
    static func measure() -> SetThroughput {
        var set = ObservedRemoveSet<Int, Int>()
        let observedRemove = operations(
            on: &set, insert: { $0.insert($1, at: $1 % replicas) }, remove: { $0.remove($1) },
            contains: { $0.contains($1) })
        var plainSet: Set<Int> = []
        let plain = operations(
            on: &plainSet, insert: { $0.insert($1) }, remove: { $0.remove($1) }, contains: { $0.contains($1) })
        precondition(plainSet == Set(set.elements), "both sets saw the same changes")
        let merges = mergesOfWholeSets(set)
        return SetThroughput(
            observedRemove: observedRemove, plain: plain, deltasPerSecond: mergedDeltas(),
            mergesPerSecond: merges.merges, deltasSincePerSecond: merges.deltas)
    }

    /// Leaves all elements in the set.
    private static func operations<Collection>(
        on set: inout Collection, insert: (inout Collection, Int) -> Void, remove: (inout Collection, Int) -> Void,
        contains: (Collection, Int) -> Bool
    ) -> Operations {
        var (inserting, removing, asking): ([Double], [Double], [Double]) = ([], [], [])
        var found = 0
        for _ in 0..<rounds {
            inserting.append(
                seconds {
                    for number in 0..<2 * elements { insert(&set, element(number)) }
                })
            asking.append(
                seconds {
                    for number in 0..<2 * elements where contains(set, element(number) + elements / 2) { found += 1 }
                })
            removing.append(
                seconds {
                    for number in 0..<elements { remove(&set, element(number)) }
                })
        }
        precondition(found == rounds * elements, "half of the elements asked for are in the set")
        for number in 0..<elements { insert(&set, element(number)) }
        // A round lasts about a tenth of a millisecond: the median leaves out those in which others had the core.
        let count = Double(elements)
        return Operations(
            insertionsPerSecond: 2 * count / Statistics(inserting).median,
            removalsPerSecond: count / Statistics(removing).median,
            lookupsPerSecond: 2 * count / Statistics(asking).median)
    }

    private static func mergedDeltas() -> Double {
        var author = ObservedRemoveSet<Int, Int>()
        var reader = author
        let deltas = (0..<rounds * elements).map { number in
            number % 3 == 2
                ? author.remove(element(number)) : author.insert(element(number), at: number % replicas)
        }
        let merging = (0..<rounds).map { round in
            seconds { for delta in deltas[(round * elements)...].prefix(elements) { reader.merge(delta) } }
        }
        precondition(reader == author, "deltas have the effect of the changes they come from")
        return Double(elements) / Statistics(merging).median
    }

    private static func mergesOfWholeSets(_ ours: ObservedRemoveSet<Int, Int>) -> (merges: Double, deltas: Double) {
        var theirs = ours
        for number in 0..<32 { theirs.insert(elements + number, at: number % replicas) }
        var added = 0
        let merging = (0..<rounds).map { _ in
            seconds { added += ours.merging(theirs).count - ours.count }
        }
        let comparing = (0..<rounds).map { _ in
            seconds { added += theirs.delta(since: ours.context).count }
        }
        precondition(added == 2 * 32 * rounds, "a merge and a delta bring what was lacking")
        return (1 / Statistics(merging).median, 1 / Statistics(comparing).median)
    }

    /// Goes through the elements in a scattered order.
    private static func element(_ number: Int) -> Int { number &* 7_919 % elements }
}

extension SetThroughput {
    /// The rows of the report.
    var rows: [(String, String, String)] {
        [
            ("machine: plain set of 1000: add; remove; look up", Self.text(plain), ""),
            (
                "observed-remove set of 1000 by 16 replicas: add; remove; look up", Self.text(observedRemove),
                "\(Self.ratio(observedRemove, plain, \.insertionsPerSecond)); "
                    + "\(Self.ratio(observedRemove, plain, \.removalsPerSecond)); "
                    + "\(Self.ratio(observedRemove, plain, \.lookupsPerSecond)) × the plain set"
            ),
            (
                "observed-remove set: deltas of others merged", "\(Int(deltasPerSecond))/s",
                String(format: "%.2f × adding to the plain set", deltasPerSecond / plain.insertionsPerSecond)
            ),
            (
                "two such sets that differ in 32: merged; delta made since the context of one",
                "\(Int(mergesPerSecond))/s; \(Int(deltasSincePerSecond))/s", ""
            ),
        ]
    }

    private static func text(_ operations: Operations) -> String {
        "\(Int(operations.insertionsPerSecond))/s; \(Int(operations.removalsPerSecond))/s; "
            + "\(Int(operations.lookupsPerSecond))/s"
    }

    private static func ratio(
        _ ours: Operations, _ plain: Operations, _ figure: KeyPath<Operations, Double>
    ) -> String {
        String(format: "%.2f", ours[keyPath: figure] / plain[keyPath: figure])
    }
}
