/// A few dots; a single one, which is the rule, needs no heap.
public struct DotSet<Replica: Hashable & Sendable>: Hashable, Sendable, Sequence {
    private var only: Dot<Replica>?
    /// The dots while there are several, else empty.
    private var several: Set<Dot<Replica>> = []

    /// Has no dot.
    public init() {}

    /// Has one dot.
    public init(_ dot: Dot<Replica>) { only = dot }

    /// Whether there is no dot.
    public var isEmpty: Bool { only == nil && several.isEmpty }

    /// Whether a dot is in the set. O(1).
    public func contains(_ dot: Dot<Replica>) -> Bool { only.map { $0 == dot } ?? several.contains(dot) }

    /// Puts a dot in. O(1).
    public mutating func insert(_ dot: Dot<Replica>) {
        if isEmpty {
            only = dot
        } else if !contains(dot) {
            if let first = only.take() { several.insert(first) }
            several.insert(dot)
        }
    }

    /// Takes out the dots of another set. O(*m*) in its dots.
    public mutating func subtract(_ other: DotSet) {
        if let gone = only {
            if other.contains(gone) { only = nil }
            return
        }
        for dot in other { several.remove(dot) }
        // A single dot is always kept without the heap, so that equal sets are stored alike.
        if several.count == 1 { only = several.popFirst() }
    }
}

extension DotSet {
    /// Goes through the dots, in no order.
    public struct Iterator: IteratorProtocol {
        fileprivate var only: Dot<Replica>?
        fileprivate var several: Set<Dot<Replica>>.Iterator

        /// The next dot.
        public mutating func next() -> Dot<Replica>? { only.take() ?? several.next() }
    }

    /// Goes through the dots, in no order.
    public func makeIterator() -> Iterator { Iterator(only: only, several: several.makeIterator()) }
}
