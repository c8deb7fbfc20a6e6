import Cryptography
import OperationLog
import Replication
import Testing

@testable import Simulation

@Suite("A tally of traffic")
struct TrafficTallyTests {
    @Test
    func `has a name of its own for every kind of message`() {
        #expect(PeerMessageKind.all.map(\.byte) == Array(1...44))
        #expect(Set(PeerMessageKind.all.map(\.name)).count == 44)
    }

    @Test
    func `tells lanes and answers apart`() {
        let lane = PeerMessage.LaneSlot(slot: 300, lane: .content)
        #expect(name(of: .presence(.ping(7))) == "ping")
        #expect(name(of: .lane(lane, .done)) == "done of content")
        #expect(name(of: .lane(PeerMessage.LaneSlot(slot: 0, lane: .membership), .done)) == "done of membership")
        let digest = LaneDigest(of: Frontier().digest, transcript: [])
        let both = PeerMessage.statuses(slot: 300, membership: digest, content: digest)
        let membership = PeerMessage.lane(PeerMessage.LaneSlot(slot: 300, lane: .membership), .status(digest))
        #expect(name(of: both) == "status of both lanes")
        #expect(TrafficKind(of: membership.encoded) < TrafficKind(of: both.encoded))
        #expect(name(of: .lane(lane, .batch(isAnswer: false, [1]))) == "batch of content")
        #expect(name(of: .lane(lane, .batch(isAnswer: true, [1]))) == "batch of content, asked for")
        #expect(name(of: .conversation(lane, .typing([1]))) == "typing")
        #expect(TrafficKind(of: [200]).description == "kind 200")
        #expect(TrafficKind(of: []).purpose == nil && TrafficKind(of: [45]).purpose == nil)
    }

    @Test
    func `counts messages and bytes, and what came since`() {
        var tally = TrafficTally()
        tally.count(PeerMessage.presence(.ping(1)).encoded, byteCount: 2)
        let before = tally
        tally.count(PeerMessage.presence(.ping(1)).encoded, byteCount: 1)
        tally.count(PeerMessage.credit(5).encoded, byteCount: 2)
        #expect(tally.total(of: [.liveness]).messages == 2)
        #expect(tally.total(of: [.liveness]).bytes == 3)
        #expect(tally.since(before).summary() == "credit 1.0, ping 1.0")
        #expect(tally.since(tally).counts.isEmpty)
    }

    @Test
    func `measures the delay until the last node has a message`() {
        var delays = DeliveryDelays()
        let (first, second) = (OperationID(digest: .hash("first")), OperationID(digest: .hash("second")))
        delays.hold(first, by: 0, at: 1_000)
        delays.hold(second, by: 1, at: 2_000)
        delays.hold(first, by: 1, at: 6_000)
        delays.hold(first, by: 2, at: 9_000)
        delays.hold(second, by: 0, at: 3_000)
        delays.hold(second, by: 0, at: 7_000)
        #expect(delays.milliseconds == [1, 8])
        #expect(delays.milliseconds(ofShare: 0.5) == 1)
        #expect(delays.milliseconds(ofShare: 0.99) == 8)
        #expect(delays.incomplete(among: 3) == 1)
    }

    private func name(of message: PeerMessage) -> String { TrafficKind(of: message.encoded).description }
}
