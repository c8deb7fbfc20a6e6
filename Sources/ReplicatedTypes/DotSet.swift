/// A small set of dots. The usual case, a single dot, is stored inline without heap allocation.
///
/// Equal sets are stored alike and so are equal values.
@frozen
public struct DotSet<Replica: Hashable & Sendable>: Hashable, Sendable {
    @usableFromInline var only: Dot<Replica>?
    /// The dots while there are several, else empty.
    @usableFromInline var several: Set<Dot<Replica>> = []

    /// Has no dot.
    @inlinable
    public init() {}

    /// Has one dot.
    @inlinable
    public init(_ dot: Dot<Replica>) { only = dot }

    /// Whether there is no dot.
    @inlinable
    public var isEmpty: Bool { only == nil && several.isEmpty }

    /// How many dots there are.
    @inlinable
    public var count: Int { only == nil ? several.count : 1 }

    /// Whether a dot is in the set. O(1).
    @inlinable
    public func contains(_ dot: Dot<Replica>) -> Bool {
        if let only { return only == dot }
        return !several.isEmpty && several.contains(dot)
    }

    /// Puts a dot in. O(1).
    @inlinable
    public mutating func insert(_ dot: Dot<Replica>) {
        if isEmpty {
            only = dot
        } else if !contains(dot) {
            if let first = only.take() { several.insert(first) }
            several.insert(dot)
        }
    }

    /// Takes out the dots of another set. O(*m*) in its dots.
    @inlinable
    public mutating func subtract(_ other: DotSet) {
        if let gone = only {
            if other.contains(gone) { only = nil }
        } else if !several.isEmpty {
            for dot in other { several.remove(dot) }
            storeSingleDotInline()
        }
    }

    /// Takes out the dots that satisfy a condition. O(*n*) in the dots.
    @inlinable
    public mutating func removeAll(where isGone: (Dot<Replica>) -> Bool) {
        if let gone = only {
            if isGone(gone) { only = nil }
        } else if !several.isEmpty {
            several = several.filter { !isGone($0) }
            storeSingleDotInline()
        }
    }

    // Written out, since what the compiler derives is not inlinable.
    /// Whether both have the same dots.
    @inlinable
    public static func == (one: DotSet, other: DotSet) -> Bool {
        if let first = one.only, let second = other.only { return first == second }
        return one.only == nil && other.only == nil && one.several == other.several
    }

    @inlinable
    mutating func storeSingleDotInline() {
        if several.count == 1 { only = several.popFirst() }
    }
}

extension DotSet: Sequence {
    /// Goes through the dots, in no order.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var only: Dot<Replica>?
        @usableFromInline var several: Set<Dot<Replica>>.Iterator

        @inlinable
        init(_ dots: DotSet) {
            only = dots.only
            several = dots.several.makeIterator()
        }

        /// The next dot.
        @inlinable
        public mutating func next() -> Dot<Replica>? { only.take() ?? several.next() }
    }

    /// Goes through the dots, in no order.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(self) }
}
