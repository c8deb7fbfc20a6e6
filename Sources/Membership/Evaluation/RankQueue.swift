/// Operations waiting to be judged, the highest rank first, each once: a binary heap.
struct RankQueue {
    private var heap: [Entry] = []
    private var waiting: Set<Int> = []

    /// Adds an operation, unless it waits already. O(log *n*).
    mutating func insert(_ operation: Int, _ rank: Rank) {
        guard waiting.insert(operation).inserted else { return }
        heap.append(Entry(rank: rank, operation: operation))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes out an operation that none outranks. O(log *n*).
    mutating func popHighest() -> Int? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        waiting.remove(first.operation)
        guard !heap.isEmpty else { return first.operation }
        heap[0] = last
        var parent = 0
        while true {
            var highest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[highest]) { highest = child }
            }
            guard highest != parent else { return first.operation }
            heap.swapAt(parent, highest)
            parent = highest
        }
    }

    private struct Entry {
        let rank: Rank
        let operation: Int

        /// What the acting admin does first and what he does under the grant made by it weigh the same: the first comes first.
        func precedes(_ other: Entry) -> Bool {
            rank == other.rank ? operation < other.operation : other.rank < rank
        }
    }
}
