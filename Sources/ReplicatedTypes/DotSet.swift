/// A few dots; a single one, which is the rule, needs no heap.
///
/// Equal sets are stored alike and so are equal values.
public struct DotSet<Replica: Hashable & Sendable>: Hashable, Sendable {
    private var only: Dot<Replica>?
    /// The dots while there are several, else empty.
    private var several: Set<Dot<Replica>> = []

    /// Has no dot.
    public init() {}

    /// Has one dot.
    public init(_ dot: Dot<Replica>) { only = dot }

    /// Whether there is no dot.
    public var isEmpty: Bool { only == nil && several.isEmpty }

    /// How many dots there are.
    public var count: Int { only == nil ? several.count : 1 }

    /// Whether a dot is in the set. O(1).
    public func contains(_ dot: Dot<Replica>) -> Bool {
        if let only { return only == dot }
        return !several.isEmpty && several.contains(dot)
    }

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
        } else if !several.isEmpty {
            for dot in other { several.remove(dot) }
            storeSingleDotInline()
        }
    }

    /// Takes out the dots that satisfy a condition. O(*n*) in the dots.
    public mutating func removeAll(where isGone: (Dot<Replica>) -> Bool) {
        if let gone = only {
            if isGone(gone) { only = nil }
        } else if !several.isEmpty {
            several = several.filter { !isGone($0) }
            storeSingleDotInline()
        }
    }

    private mutating func storeSingleDotInline() {
        if several.count == 1 { only = several.popFirst() }
    }
}

extension DotSet: Sequence {
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
