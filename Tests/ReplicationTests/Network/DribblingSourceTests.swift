import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("Who is asked and brings nothing is replaced")
struct DribblingSourceTests {
    private let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)

    /// Bob has what Carol lacks; Mallory, who is connected with Carol, sends Carol whatever they like.
    private func fixture() throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 41)
        try fixture.write(4, at: 0)
        try fixture.connectAll()
        try fixture.run(for: .seconds(2))
        try fixture.disconnect(1, 2)
        try fixture.disconnect(0, 1)
        try fixture.write(50, at: 1)
        fixture.hosts[0].isStuck = true
        return fixture
    }

    private func answer(_ operations: [Operation]) -> [UInt8] {
        PeerMessage.lane(slot, .batch(isAnswer: true, Batch(lane: .content, operations: operations).encoded)).encoded
    }

    private func hasCaughtUp(_ fixture: ReplicatorFixture) -> Bool {
        fixture.hosts[2].log.contentFrontier.sequenceNumber(of: fixture.hosts[1].person.device) == 50
    }

    /// Keeps Mallory's connection alive.
    private func ping(_ fixture: inout ReplicatorFixture) throws {
        try fixture.deliver(PeerMessage.presence(.ping(1)).encoded, from: 0, to: 2)
    }

    @Test func `also where they repeat old operations, as an answer, all the time`() throws {
        var fixture = try fixture()
        let old = try #require(fixture.hosts[0].held[.content]?.first)
        // They say that they hold something else, are asked, and answer forever.
        try fixture.deliver(PeerMessage.lane(slot, .status(.unlike)).encoded, from: 0, to: 2)
        try fixture.deliver(PeerMessage.lane(slot, .chainsRequest).encoded, from: 0, to: 2)
        try fixture.connect(1, 2)
        for _ in 0..<8 {
            try fixture.run(for: .milliseconds(700))
            try ping(&fixture)
            try fixture.deliver(answer([old]), from: 0, to: 2)
        }
        #expect(hasCaughtUp(fixture))
        #expect(fixture.stalls > 0)
    }

    @Test func `and where they write something new all the time`() throws {
        var fixture = try fixture()
        try fixture.disconnect(0, 2)
        try fixture.write(60, at: 0)
        let news = fixture.hosts[0].held[.content]?.suffix(60) ?? []
        try fixture.connect(0, 2)
        try fixture.run(for: .milliseconds(100))
        try fixture.deliver(PeerMessage.lane(slot, .chainsRequest).encoded, from: 0, to: 2)
        #expect(fixture.hosts[2].replicator.lanes.values.contains { $0.source == ReplicatorFixture.handle(of: 0) })
        try fixture.connect(1, 2)
        // Four seconds.
        for operation in news.prefix(20) {
            try fixture.run(for: .milliseconds(200))
            try ping(&fixture)
            try fixture.deliver(answer([operation]), from: 0, to: 2)
        }
        #expect(hasCaughtUp(fixture))
        #expect(fixture.stalls == 0, "it was not silence that ended their turn")
    }
}
