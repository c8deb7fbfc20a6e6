/// The observed-remove set as it was first described, which keeps every addition and every tombstone forever: too large
/// to use, and too simple to be wrong.
///
/// Shapiro, Preguiça, Baquero and Zawirski, "A Comprehensive Study of Convergent and Commutative Replicated Data Types"
/// (INRIA RR-7506, 2011), section 3.3.5.
struct TombstoneSet<Element: Hashable & Sendable>: Hashable, Sendable {
    private struct Addition: Hashable {
        let element: Element
        let tag: Int
    }

    private var additions: Set<Addition> = []
    private var tombstones: Set<Addition> = []

    var elements: Set<Element> { Set(additions.subtracting(tombstones).map(\.element)) }

    mutating func insert(_ element: Element, tag: Int) {
        additions.insert(Addition(element: element, tag: tag))
    }

    mutating func remove(_ element: Element) {
        tombstones.formUnion(additions.filter { $0.element == element })
    }

    mutating func merge(_ other: TombstoneSet) {
        additions.formUnion(other.additions)
        tombstones.formUnion(other.tombstones)
    }
}
