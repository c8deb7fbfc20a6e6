extension Array {
    /// Where the elements begin of which something holds, if it holds of none before another of which it does not.
    /// O(log *n*).
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
