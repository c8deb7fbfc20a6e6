import OperationLogFixtures
import ReplicatedTypes
import Testing

/// Grants that operations make: the dots are named by others than the set.
@Suite("Sets whose dots are named by their caller")
struct NamedDotTests {
    private typealias Grants = ObservedRemoveSet<String, String>

    @Test
    func `Alice keeps one grant when another one is taken`() {
        var grants = Grants()
        grants.insert("Alice", by: Dot(replica: "create", counter: 1))
        grants.insert("Alice", by: Dot(replica: "promote", counter: 1))
        grants.remove("Alice", addedBy: Dot(replica: "create", counter: 1))
        #expect(Array(grants.dots(of: "Alice")) == [Dot(replica: "promote", counter: 1)])
        grants.remove("Alice", addedBy: Dot(replica: "promote", counter: 1))
        #expect(!grants.contains("Alice"))
    }

    @Test
    func `a grant that was taken does not come back, also when it is taken before it is made`() {
        var grants = Grants()
        grants.remove("Bob", addedBy: Dot(replica: "add", counter: 2))
        grants.insert("Bob", by: Dot(replica: "add", counter: 2))
        #expect(!grants.contains("Bob"))
    }

    @Test
    func `one operation grants to many, for one number in the context`() {
        var grants = Grants()
        let people = ["Alice", "Bob", "Carol"]
        for (slot, person) in people.enumerated() {
            grants.insert(person, by: Dot(replica: "add", counter: UInt64(slot) + 1))
        }
        #expect(Set(grants.elements) == Set(people))
        #expect(grants.context.size == 1)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `folding grants does not depend on their order`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var made: [(holder: Int, dot: Dot<Int>, isTaken: Bool)] = []
        for operation in 0..<20 {
            for slot in 0..<Int.random(in: 1...3, using: &random) {
                let dot = Dot(replica: operation, counter: UInt64(slot) + 1)
                made.append((Int.random(in: 0..<6, using: &random), dot, Bool.random(using: &random)))
            }
        }
        let expected = Set(made.filter { !$0.isTaken }.map(\.holder))
        var deltas: [NumberSet.Delta] = []
        var author = NumberSet()
        for grant in made.shuffled(using: &random) { deltas.append(author.insert(grant.holder, by: grant.dot)) }
        for grant in made.shuffled(using: &random) where grant.isTaken {
            deltas.append(author.remove(grant.holder, addedBy: grant.dot))
        }
        var reader = NumberSet()
        for delta in deltas.shuffled(using: &random) { reader.merge(delta) }
        #expect(Set(author.elements) == expected, "seed \(seed)")
        #expect(reader == author, "seed \(seed)")
        #expect(author.context.size == 20, "one number for each operation, seed \(seed)")
    }
}
