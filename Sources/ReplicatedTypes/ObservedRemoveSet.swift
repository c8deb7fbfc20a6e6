/// A set to which replicas add and from which they remove concurrently: a removal takes exactly the additions it has seen.
///
/// Every addition is a dot; an element is in the set while one of its dots is. What was removed leaves no tombstone: a dot that the
/// causal context has seen and that is not in the set has been removed. Of an addition and a concurrent removal the addition
/// wins, since the removal cannot have seen it.
///
/// Bieniusa et al., "An Optimized Conflict-free Replicated Set" (2012); deltas after Almeida, Shoker and Baquero (2018).
public struct ObservedRemoveSet<Element: Hashable & Sendable, Replica: Hashable & Sendable>: Hashable, Sendable {
    private var dots: [Element: Set<Dot<Replica>>] = [:]
    private var context = CausalContext<Replica>()

    /// Is empty and has seen nothing.
    public init() {}

    /// The elements, in no order.
    public var elements: some Collection<Element> { dots.keys }

    /// How many elements there are.
    public var count: Int { dots.count }

    /// Whether an element is in the set.
    public func contains(_ element: Element) -> Bool { dots[element] != nil }

    /// Adds an element at a replica.
    ///
    /// - Returns: the delta: merged anywhere it has the same effect. O(*d*) in the element's dots.
    @discardableResult
    public mutating func insert(_ element: Element, at replica: Replica) -> ObservedRemoveSet {
        var delta = ObservedRemoveSet()
        // The new dot stands for all that were seen before.
        for dot in dots[element] ?? [] { delta.context.insert(dot) }
        let dot = context.advance(replica)
        dots[element] = [dot]
        delta.dots[element] = [dot]
        delta.context.insert(dot)
        return delta
    }

    /// Removes an element as far as it has been seen.
    ///
    /// - Returns: the delta. O(*d*) in the element's dots.
    @discardableResult
    public mutating func remove(_ element: Element) -> ObservedRemoveSet {
        var delta = ObservedRemoveSet()
        for dot in dots.removeValue(forKey: element) ?? [] { delta.context.insert(dot) }
        return delta
    }

    /// Takes over another replica's set, or a delta of it.
    ///
    /// - Complexity: O(*n* + *m*) in the elements of both.
    public mutating func merge(_ other: ObservedRemoveSet) {
        for element in Set(dots.keys).union(other.dots.keys) { merge(element, with: other) }
        context.merge(other.context)
    }

    /// What both sets are together.
    public func merging(_ other: ObservedRemoveSet) -> ObservedRemoveSet {
        var merged = self
        merged.merge(other)
        return merged
    }

    private mutating func merge(_ element: Element, with other: ObservedRemoveSet) {
        let ours = dots[element] ?? []
        let theirs = other.dots[element] ?? []
        let kept = ours.filter { theirs.contains($0) || !other.context.contains($0) }
        let gained = theirs.filter { !context.contains($0) }
        let merged = kept.union(gained)
        dots[element] = merged.isEmpty ? nil : merged
    }
}
