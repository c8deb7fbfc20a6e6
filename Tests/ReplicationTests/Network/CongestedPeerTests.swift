import OperationLog
import Testing

@testable import Replication

@Suite("A peer for whom much waits")
struct CongestedPeerTests {
    private func pushes(in lab: Lab) -> Int { lab.sentKinds[PeerMessage.batchKind] ?? 0 }

    private func lab() throws -> Lab {
        var lab = try Lab(hosts: 2, seed: 5)
        try lab.write(3, at: 0)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged)
        return lab
    }

    @Test
    func `is sent what is written now although an answer or a file is on its way`() throws {
        var lab = try lab()
        let before = pushes(in: lab)
        try lab.congest(.bulk, to: 1, at: 0)
        try lab.write(1, at: 0)
        #expect(pushes(in: lab) == before + 1)
    }

    @Test
    func `is told only that there is more where what is live does not get through, and gets it later`() throws {
        var lab = try lab()
        let before = pushes(in: lab)
        try lab.congest(.live, to: 1, at: 0)
        try lab.write(1, at: 0)
        #expect(pushes(in: lab) == before)
        try lab.congest(.bulk, to: 1, at: 0)
        // Without the relief they would compare after a second.
        try lab.run(for: .milliseconds(500))
        #expect(lab.isConverged)
    }
}
