import NodeCore
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
    func `has devices stolen of honest users, who revoke them and keep their root`() throws {
        var thefts = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let plan = Plan(seed: seed, profile: .soak, nodes: 8, operations: 100, devices: 4)
            #expect(plan.flaw == nil)
            for stolen in Set(plan.steps.filter { $0.kind == .steal }.map(\.host)) {
                let owner = try #require(plan.owners[stolen])
                #expect(plan.liars.contains(stolen) && !plan.liars.contains(owner))
                #expect(!plan.rootHolders.contains(stolen))
                #expect(plan.steps.contains { $0.kind == .revoke && $0.other == stolen })
                thefts += 1
            }
        }
        #expect(thefts > 0)
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

    @Test(arguments: [2, 30, 256])
    func `of a crowd makes one group of everybody, in which few write`(nodes: Int) {
        let plan = Plan(crowdOf: nodes, messages: 60, loss: 0.01, seed: 4)
        #expect(plan.flaw == nil)
        #expect(plan.steps.filter { $0.kind == .create }.map(\.value) == [nodes])
        let sends = plan.steps.filter { $0.kind == .send }
        #expect(sends.count == 60)
        #expect(Set(sends.map(\.host)).count == min(nodes, Plan.crowdWriters))
        #expect(plan.isFaultless == !plan.steps.contains { $0.kind == .reset })
        let lost = Double(nodes * (nodes - 1) / 2) * 0.01 * 3
        #expect(plan.steps.count { $0.kind == .reset } == Int(lost.rounded()))
    }

    @Test
    func `gives each of 256 hosts an address of its own`() {
        for index in [0, 1, 249, 250, 255] {
            let host = Host(index: index, isLiar: false, seed: 1)
            #expect(Host.index(at: host.endpoint.description, among: 256) == index)
        }
        #expect(Host.index(at: "10.0.0.0:1", among: 256) == nil)
        #expect(Host.index(at: "10.0.0.5:1", among: 4) == nil)
        #expect(Host.index(at: "10.0.1.7:1", among: 256) == nil)
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
