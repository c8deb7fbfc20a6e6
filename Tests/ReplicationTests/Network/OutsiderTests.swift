import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// Somebody who is no member as far as the others know, and holds the operation that makes them one.
@Suite("An outsider")
struct OutsiderTests {
    private func membership(of fixture: ReplicatorFixture) -> Replicator.LaneID {
        Replicator.LaneID(conversation: fixture.conversation, lane: .membership)
    }

    @Test
    func `is asked for what may make them a member also while a silent peer is being asked`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 31)
        try fixture.know([0, 2], at: 0)
        try fixture.decide(at: 1)
        try fixture.connect(0, 2)
        try fixture.run(for: .milliseconds(500))
        fixture.hosts[2].isStuck = true
        let pull = Pull(from: ReplicatorFixture.handle(of: 2), of: fixture.hosts[2].person.user, at: fixture.now)
        fixture.hosts[0].replicator.lanes[membership(of: fixture)]?.pull = pull

        try fixture.connect(1, 0)
        try fixture.run(for: .milliseconds(500))
        #expect(fixture.hosts[0].replicator.lanes[membership(of: fixture)]?.source == ReplicatorFixture.handle(of: 2))
        #expect(fixture.hosts[0].log.membershipFrontier == fixture.hosts[1].log.membershipFrontier)
    }

    @Test
    func `never becomes the peer for which a lane waits, whatever they push`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 32)
        try fixture.know([0], at: 0)
        try fixture.decide(at: 1)
        try fixture.connect(1, 0)
        try fixture.run(for: .milliseconds(500))
        for lane in Lane.allCases {
            // Something of theirs could not be taken.
            let outcome = Replicator.Event.admissionFinished(
                ReplicatorFixture.handle(of: 1), fixture.conversation, lane, bytes: 1, outcome: .ignored)
            _ = fixture.hosts[0].replicator.handle(outcome, at: fixture.now)
            _ = fixture.hosts[0].replicator.handle(.tick, at: fixture.now + .milliseconds(100))
        }
        let sources = fixture.hosts[0].replicator.lanes.values.compactMap(\.source)
        #expect(sources.isEmpty)
    }

    /// They hold something else, and are right to.
    @Test(arguments: [MembershipStatus.invited, .former, nil])
    func `is nobody with whom to be in sync, however long they stay connected`(standing: MembershipStatus?) throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 3, seed: 33)
        let users = fixture.hosts.map(\.person.user)
        var audience: [UserID: MembershipStatus] = [users[0]: .member, users[2]: .member]
        audience[users[1]] = standing
        for host in [0, 2] { try fixture.handle(.audienceChanged(fixture.conversation, audience), at: host) }
        try fixture.write(1, at: 0)
        try fixture.run(for: .seconds(60))
        let status = fixture.hosts[0].replicator.status(of: fixture.conversation)
        #expect(status.state == .synced && status.inSync == [fixture.hosts[2].person.device])

        audience = [users[0]: .former, users[2]: .member]
        try fixture.handle(.audienceChanged(fixture.conversation, audience), at: 0)
        #expect(fixture.hosts[0].replicator.status(of: fixture.conversation).state == .alone)
    }
}
