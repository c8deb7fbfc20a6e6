import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("A peer that asks without end")
struct GreedyPeerTests {
    @Test
    func `gets no more than its credit until it has applied what it got`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.write(2_000, at: 0)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)

        let everything = PeerMessage.lane(
            PeerMessage.LaneSlot(slot: 0, lane: .content), .want([fixture.hosts[0].person.device: .through(0)]))
        let before = fixture.sentBytes
        for _ in 0..<1_000 { try fixture.deliver(everything.encoded, from: 1, to: 0) }
        let sent = fixture.sentBytes - before
        #expect(sent > Replicator.credit / 2, "the question was one that is answered")
        #expect(sent < Replicator.credit + 64 * 1_024)

        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
    }

    /// What somebody shows who wants to be let in by some code.
    private func proof(_ number: UInt8, in fixture: ReplicatorFixture) -> (invite: OperationID, message: [UInt8]) {
        let invite = OperationID(digest: .hash("moot/1/test", [number]))
        let person = fixture.hosts[1].person
        let proof = InviteProof(of: invite, to: fixture.conversation, for: person.user, signedWith: person.root)
        let tag = ConversationTag(fixture.conversation, transcript: [number], role: .initiator)
        return (invite, PeerMessage.sharing(.proof(tag, invite, proof)).encoded)
    }

    @Test
    func `is remembered by the latest of the proofs it shows now and then, and that is no offense`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.connect(0, 1)
        let shown = (0..<40).map { proof($0, in: fixture) }
        for proof in shown {
            try fixture.deliver(proof.message, from: 1, to: 0)
            try fixture.run(for: .seconds(1))
        }
        let kept = fixture.hosts[0].replicator.peers[ReplicatorFixture.handle(of: 1)]?.proofs.map(\.invite)
        #expect(kept == shown.suffix(Replicator.maximumProofs).map(\.invite))
        #expect(fixture.bans.isEmpty)
    }

    @Test
    func `is not listened to where it shows more proofs at once than anybody needs`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.connect(0, 1)
        let shown = (0..<40).map { proof($0, in: fixture) }
        for proof in shown { try fixture.deliver(proof.message, from: 1, to: 0) }
        let kept = fixture.hosts[0].replicator.peers[ReplicatorFixture.handle(of: 1)]?.proofs.map(\.invite)
        #expect(kept == shown.prefix(Replicator.maximumProofs).map(\.invite))
        #expect(fixture.bans.isEmpty)
    }
}
