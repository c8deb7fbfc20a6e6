import ReplicatedTypes
import Testing

/// What the replicated types have in common: states that merge into their least upper bound.
protocol Lattice: Equatable, Sendable {
    func merging(_ other: Self) -> Self
    /// The partial order: whether merging the other one would change nothing.
    func includes(_ other: Self) -> Bool
}

extension VersionVector: Lattice {}
extension CausalContext: Lattice {}
extension LastWriterWinsRegister: Lattice {}
extension ObservedRemoveSet: Lattice {}

/// The laws without which replicas would depend on the order in which, or how often, they hear of each other.
func expectLaws<State: Lattice>(
    _ one: State, _ two: State, _ three: State, seed: UInt64, sourceLocation: SourceLocation = #_sourceLocation
) {
    func expect(_ law: Bool, _ name: Comment) {
        #expect(law, "\(name), seed \(seed)", sourceLocation: sourceLocation)
    }
    let both = one.merging(two)
    expect(both == two.merging(one), "merging is commutative")
    expect(both.merging(three) == one.merging(two.merging(three)), "merging is associative")
    expect(one.merging(one) == one, "merging is idempotent")
    expect(both.merging(two) == both, "merging again changes nothing")
    expect(both.includes(one) && both.includes(two), "a merge is an upper bound")
    let upper = both.merging(three)
    expect(upper.includes(both), "no upper bound is less than the merge")
    expect(one.includes(one), "the order is reflexive")
    expect(one.includes(two) == (both == one), "the order is the one of merging")
    expect(!(one.includes(two) && two.includes(one)) || one == two, "the order is antisymmetric")
    expect(!(one.includes(two) && two.includes(three)) || one.includes(three), "the order is transitive")
}
