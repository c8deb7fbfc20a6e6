/// An invariant that did not hold.
package struct Violation: Hashable, Codable, Sendable {
    /// The number of the ``Invariant``.
    package let checker: Int
    /// When it was noticed, in milliseconds since the start.
    package let at: Int
    /// What is wrong.
    package let what: String

    /// Describes a broken invariant.
    package init(checker: Int, at: Int, what: String) {
        self.checker = checker
        self.at = at
        self.what = what
    }
}
