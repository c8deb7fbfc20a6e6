import OperationLog
import Testing
import Time

@testable import Replication

/// Everybody holds something that nobody else has: a group that was just made, or a network that comes back.
@Suite("A crowd that meets")
struct MeetingCrowdTests {
    @Test(arguments: [8, 16, 32])
    func `compares a few times for each pair, and fetches hardly anything twice`(count: Int) throws {
        var fixture = try ReplicatorFixture(hosts: count, seed: 71)
        for host in fixture.hosts.indices { try fixture.write(1, at: host) }
        try fixture.connectAll()
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
        let pairs = count * (count - 1) / 2
        for kind in [FrontierMessage.kind, ChainsMessage.kind, ChainsRequestMessage.kind] {
            let sent = fixture.sentKinds[kind] ?? 0
            #expect(sent > 0 && sent <= pairs * 5 / 2, "\(sent) of kind \(kind)")
        }
        #expect(fixture.copies <= count * (count - 1) * 5 / 4, "\(fixture.copies) of \(count * (count - 1))")
    }
}
