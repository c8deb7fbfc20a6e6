/// A set to which replicas add and from which they remove concurrently: a removal takes exactly the additions it has seen.
///
/// Every addition is a dot; an element is in the set while one of its dots is. What was removed leaves no tombstone: a dot that the
/// causal context has seen and that is not in the set has been removed. Of an addition and a concurrent removal the addition
/// wins, since the removal cannot have seen it.
///
/// Merging is the least upper bound of a partial order (``includes(_:)``), so it is associative, commutative and idempotent, and
/// every mutation leads upwards in it. Equal states are equal values.
///
/// Bieniusa et al., "An Optimized Conflict-free Replicated Set" (2012), section 3; deltas after Almeida, Shoker and Baquero, "Delta
/// State Replicated Data Types" (JPDC, 2018), section 7.3.
public struct ObservedRemoveSet<Element: Hashable & Sendable, Replica: Hashable & Sendable>: Hashable, Sendable {
    /// The additions seen, removed or not.
    public private(set) var context = CausalContext<Replica>()
    private var dots: [Element: DotSet<Replica>] = [:]

    /// Is empty and has seen nothing.
    public init() {}

    /// The elements, in no order.
    public var elements: some Collection<Element> { dots.keys }

    /// How many elements there are.
    public var count: Int { dots.count }

    /// Whether an element is in the set. O(1).
    public func contains(_ element: Element) -> Bool { dots[element] != nil }

    /// The additions by which an element is in the set, in no order.
    public func dots(of element: Element) -> [Dot<Replica>] { dots[element].map(Array.init) ?? [] }
}

// MARK: - Changing

extension ObservedRemoveSet {
    /// What one change of a set tells the other replicas.
    ///
    /// Merged in any order, and any number of times, deltas have the same effect as the states they come from.
    public struct Delta: Hashable, Sendable {
        /// The element that was added or removed.
        public let element: Element
        /// The addition; nil for a removal.
        public let added: Dot<Replica>?
        /// The additions that are gone: those that had been seen.
        public let replaced: DotSet<Replica>
    }

    /// Adds an element at a replica. The new addition stands for all that were seen before.
    ///
    /// - Precondition: `replica` is this one: two replicas that make the same dot break the set.
    /// - Complexity: O(*d*) in the element's dots, usually one.
    @discardableResult
    public mutating func insert(_ element: Element, at replica: Replica) -> Delta {
        let dot = context.advance(replica)
        let replaced = dots.updateValue(DotSet(dot), forKey: element)
        return Delta(element: element, added: dot, replaced: replaced ?? DotSet())
    }

    /// Adds an element by a dot that its caller names, beside the additions there are. Nothing happens if the dot was seen before.
    ///
    /// - Precondition: a dot is used for one element only, in all replicas.
    /// - Complexity: O(*d*) in the element's dots.
    public mutating func insert(_ element: Element, by dot: Dot<Replica>) {
        merge(Delta(element: element, added: dot, replaced: DotSet()))
    }

    /// Removes an element as far as it has been seen.
    ///
    /// - Complexity: O(1).
    @discardableResult
    public mutating func remove(_ element: Element) -> Delta {
        Delta(element: element, added: nil, replaced: dots.removeValue(forKey: element) ?? DotSet())
    }
}

extension ObservedRemoveSet {
    /// Takes away one addition of an element, seen or not yet seen.
    ///
    /// - Complexity: O(1).
    public mutating func remove(_ element: Element, addedBy dot: Dot<Replica>) {
        merge(Delta(element: element, added: nil, replaced: DotSet(dot)))
    }
}

// MARK: - Merging

extension ObservedRemoveSet {
    /// Takes over what another replica changed.
    ///
    /// - Complexity: O(*d*) in the element's dots.
    public mutating func merge(_ delta: Delta) {
        var remaining = dots[delta.element] ?? DotSet()
        remaining.subtract(delta.replaced)
        if let added = delta.added, !context.contains(added) {
            remaining.insert(added)
            context.insert(added)
        }
        for dot in delta.replaced { context.insert(dot) }
        dots[delta.element] = remaining.isEmpty ? nil : remaining
    }

    /// Takes over another replica's set.
    ///
    /// - Complexity: O(*n* + *m*) in the elements of both.
    public mutating func merge(_ other: ObservedRemoveSet) {
        for element in Array(dots.keys) where other.dots[element] == nil { merge(element, with: other) }
        for element in other.dots.keys { merge(element, with: other) }
        context.merge(other.context)
    }

    /// What both sets are together.
    public func merging(_ other: ObservedRemoveSet) -> ObservedRemoveSet {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Whether everything that happened to the other one is known here: merging it would change nothing.
    ///
    /// - Complexity: O(*n* + *m*) in the elements of both.
    public func includes(_ other: ObservedRemoveSet) -> Bool { merging(other) == self }

    private mutating func merge(_ element: Element, with other: ObservedRemoveSet) {
        let ours = dots[element] ?? DotSet()
        let theirs = other.dots[element] ?? DotSet()
        var merged = DotSet<Replica>()
        for dot in ours where theirs.contains(dot) || !other.context.contains(dot) { merged.insert(dot) }
        for dot in theirs where !context.contains(dot) { merged.insert(dot) }
        dots[element] = merged.isEmpty ? nil : merged
    }
}
