import OperationLog
import Testing

@testable import Replication

@Suite("A peer for whom much waits")
struct CongestedPeerTests {
    private func pushes(in fixture: ReplicatorFixture) -> Int { fixture.sentKinds[PeerMessage.batchKind] ?? 0 }

    private func fixture() throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.write(3, at: 0)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
        return fixture
    }

    @Test
    func `is sent what is written now although an answer or a file is on its way`() throws {
        var fixture = try fixture()
        let before = pushes(in: fixture)
        try fixture.congest(.bulk, to: 1, at: 0)
        try fixture.write(1, at: 0)
        #expect(pushes(in: fixture) == before + 1)
    }

    @Test
    func `is told only that there is more where what is live does not get through, and gets it later`() throws {
        var fixture = try fixture()
        let before = pushes(in: fixture)
        try fixture.congest(.live, to: 1, at: 0)
        try fixture.write(1, at: 0)
        #expect(pushes(in: fixture) == before)
        try fixture.congest(.bulk, to: 1, at: 0)
        // Without the relief they would compare after a second.
        try fixture.run(for: .milliseconds(500))
        #expect(fixture.isConverged)
    }
}
