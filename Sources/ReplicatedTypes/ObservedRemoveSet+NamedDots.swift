/// Additions that already have a name, because something else than this set makes and orders them.
///
/// In `Membership` the operations of a log are the additions: a grant is the dot whose replica is the operation and
/// whose counter is Replicas need no counters of their own, and no rule has to say who may add at which replica: the id
/// of an operation is unique, so its dots are unique.
///
/// The price is the causal context. It holds one number for every operation, where replicas that count their own
/// additions hold one number each, whatever happened there. This is no loss where the log keeps the operations anyway.
/// The slots of an operation cost no more than that number when they are taken without a gap from 1.
extension ObservedRemoveSet {
    /// Adds an element by a dot that its caller names, besides the additions there are.
    ///
    /// Nothing happens if the dot has been seen before: what was removed does not come back.
    ///
    /// - Returns: what to tell the others.
    /// - Precondition: a dot is used for one element only, in all replicas.
    /// - Complexity: O(1), and O(*g*) in the gaps of the dot's replica.
    @discardableResult
    @inlinable
    public mutating func insert(_ element: Element, by dot: Dot<Replica>) -> Delta {
        let delta = Delta(element: element, added: dot, replaced: DotSet())
        merge(delta)
        return delta
    }

    /// Takes away one addition of an element, seen or not yet seen, and leaves its other ones.
    ///
    /// - Returns: what to tell the others.
    /// - Precondition: the dot is used for this element, if at all.
    /// - Complexity: O(1), and O(*g*) in the gaps of the dot's replica.
    @discardableResult
    @inlinable
    public mutating func remove(_ element: Element, addedBy dot: Dot<Replica>) -> Delta {
        let delta = Delta(element: element, added: nil, replaced: DotSet(dot))
        merge(delta)
        return delta
    }
}
