/// A few dots; a single one, which is the rule, needs no heap.
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

    /// The dots, in no order.
    public var elements: [Dot<Replica>] { only.map { [$0] } ?? Array(several) }

    /// Hands over each dot, in no order.
    public func forEach(_ body: (Dot<Replica>) -> Void) {
        if let only { body(only) } else { several.forEach(body) }
    }

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
        for dot in other.elements { several.remove(dot) }
        // A single dot is always kept without the heap, so that equal sets are stored alike.
        if several.count == 1 { only = several.popFirst() }
    }
}
