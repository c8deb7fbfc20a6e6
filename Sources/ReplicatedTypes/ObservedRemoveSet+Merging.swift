extension ObservedRemoveSet {
    /// Takes over another replica's set, or a ``delta(since:)`` of it.
    ///
    /// An addition that one of the two does not have stays if that one has not seen it, and goes if it has: then it was
    /// removed there.
    ///
    /// - Complexity: O(*n* + *m*) in the dots and replicas of both.
    @inlinable
    public mutating func merge(_ other: ObservedRemoveSet) {
        // What goes is looked for first: changing a dictionary while going through it would copy it.
        let shrinking = dots.filter { other.dots[$0.key] == nil && $0.value.contains(where: other.seen.contains) }
        for element in shrinking.keys { merge(DotSet(), of: element, with: other) }
        for (element, theirs) in other.dots where dots(of: element) != theirs {
            merge(theirs, of: element, with: other)
        }
        seen.merge(other.seen)
    }

    @inlinable
    mutating func merge(_ theirs: DotSet<Replica>, of element: Element, with other: ObservedRemoveSet) {
        var merged = dots[element] ?? DotSet()
        merged.removeAll { other.seen.contains($0) && !theirs.contains($0) }
        for dot in theirs where !seen.contains(dot) { merged.insert(dot) }
        dots[element] = merged.isEmpty ? nil : merged
    }

    /// What both sets are together.
    ///
    /// - Complexity: O(*n* + *m*) in the dots and replicas of both.
    @inlinable
    public func merging(_ other: ObservedRemoveSet) -> ObservedRemoveSet {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether everything that happened to the other one is known here: merging it would change nothing.
    ///
    /// All its additions have been seen here, and none that it saw removed is left.
    ///
    /// - Complexity: O(*n*) in the dots of this set, and as ``CausalContext/includes(_:)``.
    @inlinable
    public func includes(_ other: ObservedRemoveSet) -> Bool {
        guard seen.includes(other.seen) else { return false }
        return dots.allSatisfy { element, ours in
            let theirs = other.dots(of: element)
            return ours.allSatisfy { theirs.contains($0) || !other.seen.contains($0) }
        }
    }
}
