import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("A peer that asks without end")
struct GreedyPeerTests {
    @Test
    func `gets no more than its credit until it has applied what it got`() throws {
        var lab = try Lab(hosts: 2, seed: 5)
        try lab.write(2_000, at: 0)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged)

        let everything = PeerMessage.want(
            PeerMessage.LaneSlot(slot: 0, lane: .content), [lab.hosts[0].person.device: .through(0)])
        let before = lab.sentBytes
        for _ in 0..<1_000 { try lab.deliver(everything.encoded, from: 1, to: 0) }
        let sent = lab.sentBytes - before
        #expect(sent > Replicator.credit / 2, "the question was one that is answered")
        #expect(sent < Replicator.credit + 64 * 1_024)

        try lab.run(for: .seconds(5))
        #expect(lab.isConverged)
    }
}
