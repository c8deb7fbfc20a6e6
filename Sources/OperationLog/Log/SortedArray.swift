/// Arrays that are kept ascending: what is looked for is found by halving, so that many heads or branches cost their
/// author and nobody else.
extension Array {
    /// The first place whose element does not come before what is looked for.
    ///
    /// - Complexity: O(log *n*).
    package func insertionIndex(where isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Puts an element where it belongs.
    package mutating func insertSorted(_ element: Element) {
        insert(element, at: insertionIndex { $0 < element })
    }

    /// Takes an element out, if it is there.
    package mutating func removeSorted(_ element: Element) {
        let place = insertionIndex { $0 < element }
        if place < count, self[place] == element { remove(at: place) }
    }
}
