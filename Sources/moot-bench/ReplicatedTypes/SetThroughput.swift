import ReplicatedTypes

/// How many changes a second an observed-remove set takes, beside a plain set of the standard library.
struct SetThroughput: Codable {
    /// Additions and removals a second at one of 16 replicas, with 1,000 elements.
    var changesPerSecond: Double
    /// Deltas of others merged a second.
    var deltasPerSecond: Double
    /// The same additions and removals a second in a plain `Set`.
    var plainChangesPerSecond: Double

    private static let changes = 500_000
    private static let elements = 1_000
    private static let replicas = 16

    /// Measures for about a second.
    static func measure() -> SetThroughput {
        var set = ObservedRemoveSet<Int, Int>()
        var other = ObservedRemoveSet<Int, Int>()
        var deltas: [ObservedRemoveSet<Int, Int>.Delta] = []
        deltas.reserveCapacity(changes)
        let changing = seconds {
            for number in 0..<changes { deltas.append(change(&set, number)) }
        }
        let merging = seconds { for delta in deltas { other.merge(delta) } }
        precondition(set == other, "deltas have the effect of the changes they come from")

        var plain: Set<Int> = []
        let plainly = seconds {
            for number in 0..<changes {
                if number % 3 == 2 { plain.remove(element(number)) } else { plain.insert(element(number)) }
            }
        }
        precondition(plain == Set(set.elements), "both sets saw the same changes")
        return SetThroughput(
            changesPerSecond: Double(changes) / changing, deltasPerSecond: Double(changes) / merging,
            plainChangesPerSecond: Double(changes) / plainly)
    }

    private static func change(
        _ set: inout ObservedRemoveSet<Int, Int>, _ number: Int
    ) -> ObservedRemoveSet<Int, Int>.Delta {
        number % 3 == 2
            ? set.remove(element(number)) : set.insert(element(number), at: number % replicas)
    }

    /// Goes through the elements in a scattered order.
    private static func element(_ number: Int) -> Int { number &* 7_919 % elements }
}
