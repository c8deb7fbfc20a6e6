import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// A peer that sent what could not be taken holds something that is missing here, whatever it says.
@Suite("A batch that could not be taken")
struct UntakenBatchTests {
    private let peer = ReplicatorFixture.handle(of: 1)

    private func content(of fixture: ReplicatorFixture) -> Replicator.LaneID {
        Replicator.LaneID(conversation: fixture.conversation, lane: .content)
    }

    /// Whether a host asks its peer about content at its next tick.
    private func asks(_ replicator: inout Replicator, at moment: Instant) -> Bool {
        replicator.handle(.tick, at: moment).contains { effect in
            guard case .send(peer, let bytes, _) = effect, let message = try? PeerMessage(decoding: bytes),
                case .lane(let slot, .frontier(isWanted: true, _, _, _)) = message
            else { return false }
            return slot.lane == .content
        }
    }

    @Test(arguments: [true, false])
    func `is asked for, though nothing is held and nothing is known of its sender`(isStored: Bool) throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 51)
        try fixture.connect(1, 0)
        try fixture.run(for: .seconds(1))
        for outcome in isStored ? [Replicator.Outcome.pending] : [.notStored, .pending] {
            let judged = Replicator.Event.admissionFinished(
                peer, fixture.conversation, .content, bytes: 1, outcome: outcome)
            _ = fixture.hosts[0].replicator.handle(judged, at: fixture.now)
        }
        #expect(asks(&fixture.hosts[0].replicator, at: fixture.now + .milliseconds(1)))
    }

    /// ClientEvent of others must not make a node hammer at a disk that is full.
    @Test func `is asked for after a rest, if the disk did not take it`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 52)
        try fixture.connect(1, 0)
        try fixture.run(for: .seconds(1))
        fixture.hosts[1].isStuck = true
        let judged = Replicator.Event.admissionFinished(
            peer, fixture.conversation, .content, bytes: 1, outcome: .notStored)
        _ = fixture.hosts[0].replicator.handle(judged, at: fixture.now)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let news = PeerMessage.lane(slot, .status(LaneDigest(bytes: Array(repeating: 7, count: 8))))
        _ = fixture.hosts[0].replicator.handle(
            .received(peer, ReceivedMessage(decoding: news.encoded)), at: fixture.now)
        #expect(!asks(&fixture.hosts[0].replicator, at: fixture.now + .seconds(2)))
        _ = fixture.hosts[0].replicator.handle(
            .received(peer, ReceivedMessage(decoding: PeerMessage.presence(.pong(.max)).encoded)),
            at: fixture.now + .seconds(4))
        #expect(asks(&fixture.hosts[0].replicator, at: fixture.now + Replicator.storageBackoff))
    }

    @Test func `is asked for, of whoever has it, when the lane takes something again`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 55)
        try fixture.connect(1, 0)
        try fixture.run(for: .seconds(1))
        fixture.hosts[1].isStuck = true
        let end = fixture.now + .seconds(30)
        _ = fixture.hosts[0].replicator.handle(
            .admissionFinished(peer, fixture.conversation, .content, bytes: 1, outcome: .resting(until: end)),
            at: fixture.now)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        for second in 0..<3 {
            let news = PeerMessage.lane(slot, .status(LaneDigest(bytes: Array(repeating: UInt8(second), count: 8))))
            _ = fixture.hosts[0].replicator.handle(
                .received(peer, ReceivedMessage(decoding: news.encoded)), at: fixture.now)
            #expect(!asks(&fixture.hosts[0].replicator, at: fixture.now + .seconds(second)))
        }
        _ = fixture.hosts[0].replicator.handle(
            .received(peer, ReceivedMessage(decoding: PeerMessage.presence(.pong(.max)).encoded)), at: end)
        #expect(asks(&fixture.hosts[0].replicator, at: end))
    }

    /// A peer that does not know that it is in the conversation asks each question once.
    @Test func `nor is an answer forgotten that could not be read while another peer is asked`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 54)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        let id = content(of: fixture)
        _ = fixture.hosts[0].replicator.handle(.notServed(peer, id.conversation, id.lane), at: fixture.now)
        var (ignored, later) = ([Replicator.Effect](), fixture.now + Replicator.storageBackoff)
        let other = ReplicatorFixture.handle(of: 2)
        fixture.hosts[0].replicator.now = later
        fixture.hosts[0].replicator.take(other, asSourceOf: id, isOutOfTurn: false)
        #expect(!asks(&fixture.hosts[0].replicator, at: later))
        fixture.hosts[0].replicator.done(id, by: other, into: &ignored)
        later = later + .seconds(1)
        #expect(asks(&fixture.hosts[0].replicator, at: later))
    }

    /// Both hold the same in the end, so the peer has nothing more to say.
    @Test func `leaves a peer in sync that holds nothing else`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 53)
        try fixture.connect(1, 0)
        try fixture.write(3, at: 1)
        try fixture.run(for: .seconds(2))
        #expect(fixture.hosts[0].replicator.status(of: fixture.conversation).state == .synced)
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let answer = PeerMessage.lane(slot, .batch(isAnswer: true, [1]))
        // What the batch holds is not looked at: the disk takes nothing.
        _ = fixture.hosts[0].replicator.handle(
            .received(peer, ReceivedMessage(decoding: answer.encoded)), at: fixture.now)
        try fixture.handle(
            .admissionFinished(peer, fixture.conversation, .content, bytes: 1, outcome: .notStored), at: 0)
        try fixture.run(for: .seconds(10))
        #expect(fixture.hosts[0].replicator.status(of: fixture.conversation).state == .synced)
    }
}
