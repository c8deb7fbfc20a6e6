/// What became of a simulation.
package struct Outcome: Hashable, Sendable {
    /// What was run.
    package let plan: Plan
    /// The run in figures.
    package let tally: Tally
    /// How long it took, by its own clock.
    package let virtualMilliseconds: Int
    /// A hash of everything that happened.
    package let trace: String
    /// The invariants that did not hold; empty if all is well.
    package let violations: [Violation]
}
