import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

/// Somebody who is no member as far as the others know, and holds the operation that makes them one.
@Suite("An outsider")
struct OutsiderTests {
    private func membership(of lab: Lab) -> Replicator.LaneID {
        Replicator.LaneID(conversation: lab.conversation, lane: .membership)
    }

    @Test
    func `is asked for what may make them a member also while a silent peer is being asked`() throws {
        var lab = try Lab(hosts: 3, seed: 31)
        try lab.know([0, 2], at: 0)
        try lab.decide(at: 1)
        try lab.connect(0, 2)
        try lab.run(for: .milliseconds(500))
        lab.hosts[2].isStuck = true
        lab.hosts[0].replicator.lanes[membership(of: lab)]?.source = Lab.handle(of: 2)
        lab.hosts[0].replicator.lanes[membership(of: lab)]?.progress = lab.now

        try lab.connect(1, 0)
        try lab.run(for: .milliseconds(500))
        #expect(lab.hosts[0].replicator.lanes[membership(of: lab)]?.source == Lab.handle(of: 2))
        #expect(lab.hosts[0].log.membershipFrontier == lab.hosts[1].log.membershipFrontier)
    }

    @Test
    func `never becomes the peer for which a lane waits, whatever they push`() throws {
        var lab = try Lab(hosts: 2, seed: 32)
        try lab.know([0], at: 0)
        try lab.decide(at: 1)
        try lab.connect(1, 0)
        try lab.run(for: .milliseconds(500))
        for lane in Lane.allCases {
            // Something of theirs could not be taken.
            let outcome = Replicator.Event.judged(
                Lab.handle(of: 1), lab.conversation, lane, bytes: 1, outcome: .ignored)
            _ = lab.hosts[0].replicator.handle(outcome, at: lab.now)
            _ = lab.hosts[0].replicator.handle(.tick, at: lab.now + .milliseconds(100))
        }
        let sources = lab.hosts[0].replicator.lanes.values.compactMap(\.source)
        #expect(sources.isEmpty)
    }
}
