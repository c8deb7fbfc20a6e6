import OperationLogFixtures
import ReplicatedTypes

typealias NumberSet = ObservedRemoveSet<Int, Int>

/// Three replicas of a set that live apart for a while and hear of each other now and then, with every delta they made.
struct Family {
    /// One change at one replica, or one merge.
    struct Step {
        let replica: Int
        let before: NumberSet
        let after: NumberSet
        /// What the change tells the others; nil for a merge.
        let delta: NumberSet.Delta?
    }

    private(set) var replicas = [NumberSet(), NumberSet(), NumberSet()]
    /// The same replicas with every tombstone kept.
    private(set) var models = [TombstoneSet<Int>(), TombstoneSet<Int>(), TombstoneSet<Int>()]
    private(set) var steps: [Step] = []

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            let replica = Int.random(in: 0..<3, using: &random)
            let element = Int.random(in: 0..<8, using: &random)
            let before = replicas[replica]
            var delta: NumberSet.Delta?
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2:
                delta = replicas[replica].insert(element, at: replica)
                models[replica].insert(element, tag: steps.count)
            case 3, 4:
                delta = replicas[replica].remove(element)
                models[replica].remove(element)
            default:
                let other = Int.random(in: 0..<3, using: &random)
                replicas[replica].merge(replicas[other])
                models[replica].merge(models[other])
            }
            steps.append(Step(replica: replica, before: before, after: replicas[replica], delta: delta))
        }
    }

    var deltas: [NumberSet.Delta] { steps.compactMap(\.delta) }

    /// All replicas together.
    var whole: NumberSet { replicas.reduce(NumberSet()) { $0.merging($1) } }

    /// A set that some of the deltas reached, so that it has gaps.
    func lossyListener(seed: UInt64) -> NumberSet {
        var random = SplitMix64(seed: ~seed)
        var listener = NumberSet()
        for delta in deltas.shuffled(using: &random) where Bool.random(using: &random) { listener.merge(delta) }
        return listener
    }
}
