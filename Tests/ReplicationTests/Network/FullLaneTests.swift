import OperationLog
import Testing

@testable import Replication

@Suite("A lane that takes no more")
struct FullLaneTests {
    @Test func `is asked about less and less often, whatever is pushed, and goes on when there is room`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 47)
        try fixture.write(1_000, at: 0)
        fixture.hosts[1].room = 200
        try fixture.connectAll()
        try fixture.run(for: .seconds(60))
        #expect((fixture.hosts[1].held[.content] ?? []).count <= 200)
        #expect(fixture.copies <= 12_000)
        let before = fixture.copies
        for _ in 0..<40 {
            try fixture.write(1, at: 0)
            try fixture.run(for: .milliseconds(500))
        }
        #expect(fixture.copies - before <= 40 + 2 * 1_040, "what is pushed is no reason to ask for all the rest")
        #expect(fixture.bans.isEmpty)
        fixture.hosts[1].room = nil
        try fixture.run(for: .seconds(40))
        #expect(fixture.isConverged)
    }
}
