/// The number of something in the graph: its place in the order in which things of its kind came to this replica.
///
/// Operations, people and grants have a type of number each, so that one cannot be passed for another. Each is one
/// integer of 32 bits: a history is mostly made of them.
protocol ArrivalNumber: Hashable, Strideable, Sendable where Stride == Int {
    /// The place, from 0.
    var place: Int { get }

    init(_ place: Int)
}

extension ArrivalNumber {
    // Strideable would compare by distance.

    /// Less-than came earlier.
    static func < (left: Self, right: Self) -> Bool { left.place < right.place }

    static func == (left: Self, right: Self) -> Bool { left.place == right.place }

    func distance(to other: Self) -> Int { other.place - place }

    func advanced(by distance: Int) -> Self { Self(place + distance) }
}
