import OperationLog

/// What decides at the heads of a lane: an operation from which nothing follows stands for those before it from which
/// something does.
///
/// So it costs nothing to ask about ever new heads, as long as nothing was decided in between, however many operations
/// somebody writes that join others, or that are void by their own past.
struct DecisiveHeads: Sendable {
    /// For each operation of the lane the places of those it stands for, ascending; empty for one that stands for
    /// itself.
    private var places: [[Int32]] = []

    /// Takes in the next operation of the lane.
    ///
    /// One from which nothing follows stands for itself where it joins more than an operation may name.
    mutating func append(isInert: Bool, after parents: [Int]) {
        guard isInert else { return places.append([]) }
        if parents.count == 1, let parent = parents.first, !places[parent].isEmpty {
            return places.append(places[parent])
        }
        let joined = decisive(parents)
        places.append(joined.count <= Limits.maximumDependencies ? joined.map(Int32.init) : [])
    }

    /// The places of what decides at heads, ascending.
    ///
    /// - Complexity: O(*n* log *n*) in the result, at most 16 operations for each head.
    func decisive(_ heads: [Int]) -> [Int] {
        var found: Set<Int> = []
        for head in heads {
            if places[head].isEmpty { found.insert(head) } else { found.formUnion(places[head].lazy.map(Int.init)) }
        }
        return found.sorted()
    }

    /// Whether each of some operations stands for itself.
    func areDecisive(_ heads: some Sequence<Int>) -> Bool { heads.allSatisfy { places[$0].isEmpty } }
}
