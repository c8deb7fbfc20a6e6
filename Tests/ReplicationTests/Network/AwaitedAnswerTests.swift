import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

/// Mallory calls what he sends an answer, whether Alice asked him or not.
@Suite("An answer")
struct AwaitedAnswerTests {
    private let mallory = Lab.handle(of: 0)
    private let alice = 1

    private func slot(_ lane: Lane) -> PeerMessage.LaneSlot { PeerMessage.LaneSlot(slot: 0, lane: lane) }

    /// Both hold the same, and have told each other.
    private func lab() throws -> Lab {
        var lab = try Lab(hosts: 2, seed: 51)
        try lab.connectAll()
        try lab.run(for: .seconds(2))
        lab.hosts[0].isStuck = true
        return lab
    }

    /// Has Alice ask Mallory for content: he says that he holds something else.
    private func ask(_ lab: inout Lab) throws {
        try lab.deliver(PeerMessage.status(slot(.content), FrontierDigest.unlike).encoded, from: 0, to: alice)
        try lab.deliver(PeerMessage.chainsRequest(slot(.content)).encoded, from: 0, to: alice)
    }

    private func awaits(_ lane: Lane, _ lab: Lab) -> Bool {
        lab.hosts[alice].replicator.awaits(slot(lane), from: mallory)
    }

    @Test func `is awaited of whoever a lane is being asked of, until it is complete`() throws {
        var lab = try lab()
        #expect(!awaits(.content, lab))
        try ask(&lab)
        #expect(awaits(.content, lab))
        #expect(!awaits(.membership, lab), "another lane was not asked for")
        let unknown = PeerMessage.LaneSlot(slot: 9, lane: .content)
        #expect(!lab.hosts[alice].replicator.awaits(unknown, from: mallory), "nor a conversation that he did not show")
        try lab.deliver(PeerMessage.done(slot(.content)).encoded, from: 0, to: alice)
        #expect(!awaits(.content, lab))
    }

    /// What Alice is told that a batch is, which Mallory calls an answer.
    private func isTakenForAnswer(_ lab: inout Lab) -> Bool? {
        let message = PeerMessage.batch(slot(.content), isAnswer: true, [1]).encoded
        for effect in lab.hosts[alice].replicator.handle(.received(mallory, message), at: lab.now) {
            if case .admit(_, _, _, _, let isAnswer) = effect { return isAnswer }
        }
        return nil
    }

    @Test func `is none where nobody was asked`() throws {
        var lab = try lab()
        #expect(isTakenForAnswer(&lab) == false)
        try ask(&lab)
        #expect(isTakenForAnswer(&lab) == true)
        try lab.deliver(PeerMessage.done(slot(.content)).encoded, from: 0, to: alice)
        #expect(isTakenForAnswer(&lab) == true, "one that comes late is still an answer")
    }
}

extension FrontierDigest {
    /// The digest of something that nobody holds.
    fileprivate static let unlike = Replicator.digest(of: [DeviceID(digest: .hash("test", [51]))])
}
