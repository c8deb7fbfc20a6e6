import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

/// Mallory calls what they send an answer, whether Alice asked them or not.
@Suite("An answer")
struct AwaitedAnswerTests {
    private let mallory = ReplicatorFixture.handle(of: 0)
    private let alice = 1

    private func slot(_ lane: Lane) -> PeerMessage.LaneSlot { PeerMessage.LaneSlot(slot: 0, lane: lane) }

    /// Both hold the same, and have told each other.
    private func fixture() throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 51)
        try fixture.connectAll()
        try fixture.run(for: .seconds(2))
        fixture.hosts[0].isStuck = true
        return fixture
    }

    /// Has Alice ask Mallory for content: they say that they hold something else.
    private func ask(_ fixture: inout ReplicatorFixture) throws {
        try fixture.deliver(PeerMessage.lane(slot(.content), .status(LaneDigest.unlike)).encoded, from: 0, to: alice)
        try fixture.deliver(PeerMessage.lane(slot(.content), .chainsRequest).encoded, from: 0, to: alice)
    }

    private func awaits(_ lane: Lane, _ fixture: ReplicatorFixture) -> Bool {
        fixture.hosts[alice].replicator.awaits(slot(lane), from: mallory)
    }

    @Test func `is awaited of whoever a lane is being asked of, until it is complete`() throws {
        var fixture = try fixture()
        #expect(!awaits(.content, fixture))
        try ask(&fixture)
        #expect(awaits(.content, fixture))
        #expect(!awaits(.membership, fixture), "another lane was not asked for")
        let unknown = PeerMessage.LaneSlot(slot: 9, lane: .content)
        #expect(
            !fixture.hosts[alice].replicator.awaits(unknown, from: mallory), "nor a conversation that they did not show"
        )
        try fixture.deliver(PeerMessage.lane(slot(.content), .done).encoded, from: 0, to: alice)
        #expect(!awaits(.content, fixture))
    }

    /// What Alice is told that a batch is, which Mallory calls an answer.
    private func isTakenForAnswer(_ fixture: inout ReplicatorFixture) -> Bool? {
        let message = PeerMessage.lane(slot(.content), .batch(isAnswer: true, [1])).encoded
        for effect in fixture.hosts[alice].replicator.handle(
            .received(mallory, ReceivedMessage(decoding: message)), at: fixture.now)
        {
            if case .admit(_, _, _, _, _, let delivery) = effect { return delivery == .answer }
        }
        return nil
    }

    @Test func `is none where nobody was asked`() throws {
        var fixture = try fixture()
        #expect(isTakenForAnswer(&fixture) == false)
        try ask(&fixture)
        #expect(isTakenForAnswer(&fixture) == true)
        try fixture.deliver(PeerMessage.lane(slot(.content), .done).encoded, from: 0, to: alice)
        #expect(isTakenForAnswer(&fixture) == true, "one that comes late is still an answer")
    }
}
