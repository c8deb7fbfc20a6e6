/// A promise that was not kept.
package struct Violation: Hashable, Codable, Sendable {
    /// The number of the invariant in the list of checkers.
    package let checker: Int
    /// When it was noticed, in milliseconds since the start.
    package let at: Int
    /// What is wrong.
    package let what: String

    /// Describes a broken promise.
    package init(checker: Int, at: Int, what: String) {
        self.checker = checker
        self.at = at
        self.what = what
    }
}
