extension ObservedRemoveSet {
    /// What one change of a set tells the other replicas: a set of its own, in which only this change has happened.
    ///
    /// Merged in any order, and any number of times, deltas have the same effect as the states they come from. A delta
    /// that comes before one it follows leaves a gap in the context; a removal that comes before the addition it took
    /// makes that addition arrive in vain.
    @frozen
    public struct Delta: Hashable, Sendable {
        /// The element that was added or removed.
        public let element: Element
        /// The addition; nil for a removal.
        public let added: Dot<Replica>?
        /// The additions that are gone: those that had been seen.
        public let replaced: DotSet<Replica>

        @inlinable
        init(element: Element, added: Dot<Replica>?, replaced: DotSet<Replica>) {
            self.element = element
            self.added = added
            self.replaced = replaced
        }
    }

    /// Takes over what another replica changed.
    ///
    /// - Complexity: O(*d*) in the dots of the delta, usually one or two; each also O(*g*) in the gaps of its replica.
    @inlinable
    public mutating func merge(_ delta: Delta) {
        let isNew = delta.added.map { seen.insert($0) } ?? false
        for dot in delta.replaced { seen.insert(dot) }
        if isNew, let added = delta.added {
            // The dots are changed in place: a copy of several would cost O(d).
            { dots in
                dots.subtract(delta.replaced)
                dots.insert(added)
            }(&dots[delta.element, default: DotSet()])
        } else if !delta.replaced.isEmpty, let index = dots.index(forKey: delta.element) {
            dots.values[index].subtract(delta.replaced)
            if dots.values[index].isEmpty { dots.remove(at: index) }
        }
    }

    /// What happened beyond a causal context: merged by whoever has seen that context it has the same effect as the
    /// whole set.
    ///
    /// The delta is a set itself, with the additions that were not seen and a context of them and of *all* that is
    /// gone, for a context says what the receiver has seen and not what they have left. It has gaps where additions are
    /// that were seen and are still there, so it claims nothing about them: merged by somebody who has seen less it
    /// does no harm, and what they lack stays a gap in their context until they get it.
    ///
    /// Almeida, Shoker and Baquero (2018) call such a join of deltas a delta-group.
    ///
    /// - Complexity: O(*n* log *n*) in the dots of the set; the delta holds the new additions and at most one run of
    ///   numbers for each replica and each dot that was seen and is still there.
    @inlinable
    public func delta(since seen: CausalContext<Replica>) -> ObservedRemoveSet {
        var delta = ObservedRemoveSet()
        var kept: [Dot<Replica>] = []
        for (element, dots) in dots {
            for dot in dots {
                if seen.contains(dot) {
                    kept.append(dot)
                } else {
                    delta.dots[element, default: DotSet()].insert(dot)
                }
            }
        }
        delta.seen = context.removing(kept)
        return delta
    }
}
