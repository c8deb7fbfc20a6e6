/// The name of an operation, of the type that the user of the resolver chose. In the graph only the order of names
/// matters.
///
/// That type is not known there: so the graph and all rules over it are compiled once, and not looked up for each type
/// of name.
struct Name: Hashable, Comparable, Sendable {
    private let value: any Hashable & Comparable & Sendable

    init(_ value: some Hashable & Comparable & Sendable) { self.value = value }

    static func == (left: Name, right: Name) -> Bool { left.value.equals(right.value) }

    static func < (left: Name, right: Name) -> Bool { left.value.precedes(right.value) }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension Comparable {
    fileprivate func equals(_ other: any Comparable) -> Bool { other as? Self == self }

    /// All names of one graph are of one type.
    fileprivate func precedes(_ other: any Comparable) -> Bool { (other as? Self).map { self < $0 } ?? false }
}
