import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

/// A peer that sent what could not be taken holds something that is missing here, whatever it says.
@Suite("A batch that could not be taken")
struct UntakenBatchTests {
    private let peer = Lab.handle(of: 1)

    private func content(of lab: Lab) -> Replicator.LaneID {
        Replicator.LaneID(conversation: lab.conversation, lane: .content)
    }

    /// Whether a host asks its peer about content at its next tick.
    private func asks(_ replicator: inout Replicator, at moment: Instant) -> Bool {
        replicator.handle(.tick, at: moment).contains { effect in
            guard case .send(peer, let bytes, _) = effect, let message = try? PeerMessage(decoding: bytes),
                case .frontier(let slot, isWanted: true, _, _) = message
            else { return false }
            return slot.lane == .content
        }
    }

    @Test(arguments: [true, false])
    func `is asked for, though nothing is held and nothing is known of its sender`(isStored: Bool) throws {
        var lab = try Lab(hosts: 2, seed: 51)
        try lab.connect(1, 0)
        try lab.run(for: .seconds(1))
        for outcome in isStored ? [Replicator.Outcome.pending] : [.notStored, .pending] {
            let judged = Replicator.Event.judged(peer, lab.conversation, .content, bytes: 1, outcome: outcome)
            _ = lab.hosts[0].replicator.handle(judged, at: lab.now)
        }
        #expect(asks(&lab.hosts[0].replicator, at: lab.now + .milliseconds(1)))
    }

    /// News of others must not make a node hammer at a disk that is full.
    @Test func `is asked for after a rest, if the disk did not take it`() throws {
        var lab = try Lab(hosts: 2, seed: 52)
        try lab.connect(1, 0)
        try lab.run(for: .seconds(1))
        lab.hosts[1].isStuck = true
        let judged = Replicator.Event.judged(peer, lab.conversation, .content, bytes: 1, outcome: .notStored)
        _ = lab.hosts[0].replicator.handle(judged, at: lab.now)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let news = PeerMessage.status(slot, FrontierDigest(bytes: Array(repeating: 7, count: 16)))
        _ = lab.hosts[0].replicator.handle(.received(peer, news.encoded), at: lab.now)
        #expect(!asks(&lab.hosts[0].replicator, at: lab.now + .seconds(2)))
        _ = lab.hosts[0].replicator.handle(.received(peer, PeerMessage.pong(0).encoded), at: lab.now + .seconds(4))
        #expect(asks(&lab.hosts[0].replicator, at: lab.now + Replicator.storageRest))
    }

    /// Both hold the same in the end, so the peer has nothing more to say.
    @Test func `leaves a peer in sync that holds nothing else`() throws {
        var lab = try Lab(hosts: 2, seed: 53)
        try lab.connect(1, 0)
        try lab.write(3, at: 1)
        try lab.run(for: .seconds(2))
        #expect(lab.hosts[0].replicator.status(of: lab.conversation).state == .synced)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let answer = PeerMessage.batch(slot, isAnswer: true, [1])
        // What the batch holds is not looked at: the disk takes nothing.
        _ = lab.hosts[0].replicator.handle(.received(peer, answer.encoded), at: lab.now)
        try lab.handle(.judged(peer, lab.conversation, .content, bytes: 1, outcome: .notStored), at: 0)
        try lab.run(for: .seconds(10))
        #expect(lab.hosts[0].replicator.status(of: lab.conversation).state == .synced)
    }
}
