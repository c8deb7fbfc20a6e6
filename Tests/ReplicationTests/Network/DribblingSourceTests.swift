import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("Who is asked and brings nothing is replaced")
struct DribblingSourceTests {
    private let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)

    /// Bob has what Carol lacks; Mallory, who is connected with Carol, sends her what he likes.
    private func lab() throws -> Lab {
        var lab = try Lab(hosts: 3, seed: 41)
        try lab.write(4, at: 0)
        try lab.connectAll()
        try lab.run(for: .seconds(2))
        try lab.disconnect(1, 2)
        try lab.disconnect(0, 1)
        try lab.write(50, at: 1)
        lab.hosts[0].isStuck = true
        return lab
    }

    private func answer(_ operations: [Operation]) -> [UInt8] {
        PeerMessage.batch(slot, isAnswer: true, Batch(lane: .content, operations: operations).encoded).encoded
    }

    private func hasCaughtUp(_ lab: Lab) -> Bool {
        lab.hosts[2].log.contentFrontier.sequenceNumber(of: lab.hosts[1].person.device) == 50
    }

    /// Keeps Mallory's connection alive.
    private func ping(_ lab: inout Lab) throws { try lab.deliver(PeerMessage.ping(1).encoded, from: 0, to: 2) }

    @Test func `also where he repeats old operations, as an answer, all the time`() throws {
        var lab = try lab()
        let old = try #require(lab.hosts[0].held[.content]?.first)
        // He says that he holds something else, is asked, and answers for ever.
        try lab.deliver(PeerMessage.status(slot, Frontier().digest).encoded, from: 0, to: 2)
        try lab.deliver(PeerMessage.chainsRequest(slot).encoded, from: 0, to: 2)
        try lab.connect(1, 2)
        for _ in 0..<8 {
            try lab.run(for: .milliseconds(700))
            try ping(&lab)
            try lab.deliver(answer([old]), from: 0, to: 2)
        }
        #expect(hasCaughtUp(lab))
        #expect(lab.stalls > 0)
    }

    @Test func `and where he writes something new all the time`() throws {
        var lab = try lab()
        try lab.disconnect(0, 2)
        try lab.write(40, at: 0)
        let news = lab.hosts[0].held[.content]?.suffix(40) ?? []
        try lab.connect(0, 2)
        try lab.run(for: .milliseconds(100))
        try lab.deliver(PeerMessage.chainsRequest(slot).encoded, from: 0, to: 2)
        #expect(lab.hosts[2].replicator.lanes.values.contains { $0.source == Lab.handle(of: 0) })
        try lab.connect(1, 2)
        for operation in news.prefix(14) {
            try lab.run(for: .milliseconds(1_000))
            try ping(&lab)
            try lab.deliver(answer([operation]), from: 0, to: 2)
        }
        #expect(hasCaughtUp(lab))
        #expect(lab.stalls == 0, "it was not silence that ended his turn")
    }
}
