/// A value for each operation, each person or each grant, by its number.
///
/// An array would take the number of a grant for that of a person. A table takes numbers of its own type only.
struct Table<Number: ArrivalNumber, Element: Sendable>: RandomAccessCollection, Sendable {
    private var elements: [Element] = []

    var startIndex: Number { Number(0) }
    /// The number of what is appended next.
    var endIndex: Number { Number(elements.count) }

    subscript(number: Number) -> Element {
        get { elements[number.place] }
        // In place: what is changed is often an array, and `set` would copy it.
        _modify { yield &elements[number.place] }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Gives one value to all below a number that have none yet.
    mutating func grow(to end: Number, with element: Element) {
        guard elements.count < end.place else { return }
        elements.append(contentsOf: repeatElement(element, count: end.place - elements.count))
    }
}
