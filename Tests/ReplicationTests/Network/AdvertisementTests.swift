import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("What a peer advertises and does not send")
struct AdvertisementTests {
    /// Alice's message that she holds so much of her own chain.
    private func claim(_ number: UInt64, in lab: Lab) -> [UInt8] {
        let devices = lab.hosts[1].log.contentFrontier.devices
        return PeerMessage.frontier(
            PeerMessage.LaneSlot(slot: 0, lane: .content), isWanted: false, chainList: Replicator.digest(of: devices),
            sequenceNumbers: devices.map { _ in number }
        ).encoded
    }

    private func advertised(to host: Int, in lab: Lab) -> [UInt64] {
        let claims = lab.hosts[host].replicator.advertised(in: lab.conversation)[lab.hosts[0].person.device] ?? []
        return claims.filter { $0.peer == lab.hosts[0].person.device }.map(\.through)
    }

    @Test
    func `is remembered after he is gone, until it comes`() throws {
        var lab = try Lab(hosts: 2, seed: 5)
        try lab.write(5, at: 0)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged && advertised(to: 1, in: lab) == [])
        try lab.deliver(claim(9, in: lab), from: 0, to: 1)
        #expect(advertised(to: 1, in: lab) == [9])
        try lab.disconnect(0, 1)
        #expect(advertised(to: 1, in: lab) == [9])
        try lab.write(4, at: 0)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged && advertised(to: 1, in: lab) == [])
    }

    @Test
    func `is forgotten where it cannot be`() throws {
        var lab = try Lab(hosts: 2, seed: 6)
        try lab.write(5, at: 0)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(5))
        try lab.deliver(claim(.max, in: lab), from: 0, to: 1)
        #expect(advertised(to: 1, in: lab) == [])
    }
}
