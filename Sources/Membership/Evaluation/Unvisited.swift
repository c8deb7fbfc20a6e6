/// What is left to look at of what each person did or was given, while one revocation after the other is asked what it
/// concerns.
///
/// Thousands of revocations may concern the same thousands of operations. What one of them was found to concern is not
/// looked at again.
struct Unvisited<Element: Sendable>: Sendable {
    private var rest: [PersonNumber: [Element]] = [:]

    /// Takes out what a revocation concerns.
    ///
    /// - Parameters:
    ///   - person: from whom it takes something.
    ///   - all: what is looked at the first time.
    ///   - isOpen: whether something is still to be looked at; what once is not never is again.
    ///   - isConcerned: whether the revocation concerns it.
    /// - Complexity: O(*n*) in what is left.
    mutating func take(
        of person: PersonNumber, from all: @autoclosure () -> [Element], while isOpen: (Element) -> Bool,
        where isConcerned: (Element) -> Bool
    ) -> [Element] {
        let candidates = rest[person] ?? all()
        guard !candidates.isEmpty else { return [] }
        var (concerned, others): ([Element], [Element]) = ([], [])
        for candidate in candidates where isOpen(candidate) {
            if isConcerned(candidate) { concerned.append(candidate) } else { others.append(candidate) }
        }
        rest[person] = others
        return concerned
    }
}
