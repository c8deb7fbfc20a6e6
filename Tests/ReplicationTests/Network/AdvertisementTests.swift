import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("What a peer advertises and does not send")
struct AdvertisementTests {
    /// Alice's message that they hold so much of their own chain.
    private func claim(_ number: UInt64, in fixture: ReplicatorFixture) -> [UInt8] {
        let devices = fixture.hosts[1].log.contentFrontier.devices
        let transcript = fixture.hosts[1].replicator.peers[ReplicatorFixture.handle(of: 0)]?.transcript ?? []
        return PeerMessage.lane(
            PeerMessage.LaneSlot(slot: 0, lane: .content),
            .frontier(
                isWanted: false, digest: .unlike,
                chainList: LaneDigest(of: Replicator.digest(of: devices), transcript: transcript),
                sequenceNumbers: devices.map { _ in number })
        ).encoded
    }

    private func advertised(to host: Int, in fixture: ReplicatorFixture) -> [UInt64] {
        let claims =
            fixture.hosts[host].replicator.advertised(in: fixture.conversation)[fixture.hosts[0].person.device] ?? []
        return claims.filter { $0.peer == fixture.hosts[0].person.device }.map(\.through)
    }

    @Test
    func `is remembered after they are gone, until it comes`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.write(5, at: 0)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged && advertised(to: 1, in: fixture) == [])
        try fixture.deliver(claim(9, in: fixture), from: 0, to: 1)
        #expect(advertised(to: 1, in: fixture) == [9])
        try fixture.disconnect(0, 1)
        #expect(advertised(to: 1, in: fixture) == [9])
        try fixture.write(4, at: 0)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged && advertised(to: 1, in: fixture) == [])
    }

    @Test
    func `is forgotten where it cannot be`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 6)
        try fixture.write(5, at: 0)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        try fixture.deliver(claim(.max, in: fixture), from: 0, to: 1)
        #expect(advertised(to: 1, in: fixture) == [])
    }
}
