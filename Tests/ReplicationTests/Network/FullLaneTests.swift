import OperationLog
import Testing

@testable import Replication

@Suite("A lane that takes no more")
struct FullLaneTests {
    @Test func `is asked about less and less often, whatever is pushed, and goes on when there is room`() throws {
        var lab = try Lab(hosts: 2, seed: 47)
        try lab.write(1_000, at: 0)
        lab.hosts[1].room = 200
        try lab.connectAll()
        try lab.run(for: .seconds(60))
        #expect((lab.hosts[1].held[.content] ?? []).count <= 200)
        #expect(lab.copies <= 12_000)
        let before = lab.copies
        for _ in 0..<40 {
            try lab.write(1, at: 0)
            try lab.run(for: .milliseconds(500))
        }
        #expect(lab.copies - before <= 40 + 2 * 1_040, "what is pushed is no reason to ask for all the rest")
        #expect(lab.bans.isEmpty)
        lab.hosts[1].room = nil
        try lab.run(for: .seconds(40))
        #expect(lab.isConverged)
    }
}
