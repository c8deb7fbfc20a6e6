/// A set of operations by number.
///
/// The past of an operation is nearly always the past of another one and a few more, so it shares nearly everything
/// with it. While two branches are apart, an operation costs one chunk of a ``PlaceSet`` and a reference to each of
/// those since the first gap: some hundred bytes in a lane of 100,000.
struct OperationSet: Hashable, Sendable {
    private var places = PlaceSet()

    /// Whether an operation is in the set. O(1).
    func contains(_ operation: OperationNumber) -> Bool { places.contains(operation.place) }

    /// Puts an operation in.
    mutating func insert(_ operation: OperationNumber) { places.insert(operation.place) }

    /// Puts all operations of another set in. O(*n*/64) in what is not complete and not shared.
    mutating func formUnion(_ other: OperationSet) { places.formUnion(other.places) }

    /// How many operations are in the set. O(*n*/64) in what is not complete.
    var count: Int { places.count }

    /// A number that is greater than those of all operations in the set, by less than a word.
    var bound: OperationNumber { OperationNumber(places.bound) }

    /// Whether all operations of another set are in this one. O(*n*/64) in what is not complete and not shared.
    func isSuperset(of other: OperationSet) -> Bool { places.isSuperset(of: other.places) }

    /// The operations that another set lacks, ascending. O(*n*/64) in what is not complete there and not shared.
    func elements(beyond other: OperationSet) -> [OperationNumber] {
        places.elements(beyond: other.places).map { OperationNumber($0) }
    }
}
