/// A set to which replicas add and from which they remove concurrently: a removal takes exactly the additions it has
/// seen.
///
/// Every addition is a ``Dot``; an element is in the set while one of its dots is. What was removed leaves no
/// tombstone: a dot that the ``CausalContext`` has seen and that is not in the set has been removed. Of an addition and
/// a concurrent removal the addition wins, since the removal cannot have seen it.
///
/// ```swift
/// var alice = ObservedRemoveSet<String, String>()
/// alice.insert("tea", at: "Alice")
/// var bob = alice
/// alice.remove("tea")
/// bob.insert("tea", at: "Bob")
/// alice.merging(bob).contains("tea")  // Alice had not seen Bob's addition.
/// ```
///
/// Merging is the least upper bound of the partial order ``includes(_:)``, so it is associative, commutative and
/// idempotent, and every change leads upwards in it. Equal states are equal values. There are two kinds of deltas: each
/// change returns a small ``Delta`` for those who hear of it at once, and ``delta(since:)`` is for one who was away.
///
/// The set takes room for its elements, for one number a replica, and for the gaps in what was seen: none for what is
/// gone.
///
/// Bieniusa, Zawirski, Preguiça, Shapiro, Baquero, Balegas and Duarte, "An Optimized Conflict-free Replicated Set"
/// (INRIA RR-8083, 2012), the optimized OR-set; causal contexts and deltas after Almeida, Shoker and Baquero, "Delta
/// State Replicated Data Types" (JPDC 111, 2018), section 7, the add-wins set.
@frozen
public struct ObservedRemoveSet<Element: Hashable & Sendable, Replica: Hashable & Sendable>: Hashable, Sendable {
    // `@inlinable` and `@frozen`, here and in the types below, let a module that uses the set compile it for its own
    // elements and replicas. Without them a change costs ten times as much.

    @usableFromInline var seen = CausalContext<Replica>()
    /// For each element the additions it is there by, at least one. All of them have been seen.
    @usableFromInline var dots: [Element: DotSet<Replica>] = [:]

    /// Is empty and has seen nothing.
    @inlinable
    public init() {}

    /// The additions seen, removed or not. O(1).
    @inlinable
    public var context: CausalContext<Replica> { seen }

    /// The elements, in no order.
    @inlinable
    public var elements: some Collection<Element> { dots.keys }

    /// How many elements there are.
    @inlinable
    public var count: Int { dots.count }

    /// Whether an element is in the set. O(1).
    @inlinable
    public func contains(_ element: Element) -> Bool { dots[element] != nil }

    /// The additions by which an element is in the set. O(1).
    @inlinable
    public func dots(of element: Element) -> DotSet<Replica> { dots[element] ?? DotSet() }
}

extension ObservedRemoveSet {
    /// Adds an element at a replica. The new addition stands for all that were seen before.
    ///
    /// - Returns: what to tell the others.
    /// - Precondition: `replica` is this one: two replicas that make the same dot break the set.
    /// - Complexity: O(1).
    @discardableResult
    @inlinable
    public mutating func insert(_ element: Element, at replica: Replica) -> Delta {
        let dot = seen.advance(replica)
        let replaced = dots.updateValue(DotSet(dot), forKey: element)
        return Delta(element: element, added: dot, replaced: replaced ?? DotSet())
    }

    /// Removes an element as far as it has been seen. An addition that was not seen here stays.
    ///
    /// - Returns: what to tell the others.
    /// - Complexity: O(1).
    @discardableResult
    @inlinable
    public mutating func remove(_ element: Element) -> Delta {
        Delta(element: element, added: nil, replaced: dots.removeValue(forKey: element) ?? DotSet())
    }
}
