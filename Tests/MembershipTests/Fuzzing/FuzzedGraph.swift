/// A graph of a seed: by turns such as liars make, and such as people make who play by the rules.
struct FuzzedGraph {
    /// The operations, each after its parents.
    let operations: [Ledger.Operation]
    /// How many members the group may have.
    let capacity: Int

    init(seed: UInt64) {
        if seed.isMultiple(of: 2) {
            let graph = RandomGraph(seed: seed)
            (operations, capacity) = (graph.operations, graph.capacity)
        } else {
            let graph = PlayedGraph(seed: seed)
            (operations, capacity) = (graph.operations, graph.capacity)
        }
    }
}
