import Testing

@testable import Simulation

@Suite("A plan")
struct PlanTests {
    @Test(arguments: Profile.allCases, 1...20 as ClosedRange<UInt64>)
    func `can be run whatever its seed`(profile: Profile, seed: UInt64) {
        let plan = Plan(seed: seed, profile: profile, nodes: 8, operations: 100)
        #expect(plan.flaw == nil)
        #expect(plan.steps.map(\.at) == plan.steps.map(\.at).sorted())
        #expect(plan.liars.count <= plan.nodes / 3)
        #expect(plan.steps.allSatisfy { !$0.kind.isLie || plan.liars.contains($0.host) })
    }

    @Test
    func `shrinks to the steps that matter`() {
        let plan = Plan(seed: 3, profile: .soak, nodes: 8, operations: 200)
        let sends = plan.steps.filter { $0.kind == .send }.suffix(2)
        let small = plan.shrunk(
            while: { true }, failing: { candidate in sends.allSatisfy(candidate.steps.contains) })
        #expect(small.steps == Array(sends))
        #expect(small.nodes == 2)
    }

    @Test
    func `that names nobody is refused`() {
        var plan = Plan(seed: 1, profile: .calm, nodes: 4, operations: 10)
        plan.nodes = 1
        #expect(plan.flaw != nil)
        plan.nodes = 4
        plan.liars = [4]
        #expect(plan.flaw != nil)
        plan.liars = []
        plan.steps[0].host = -1
        #expect(plan.flaw != nil)
    }
}
