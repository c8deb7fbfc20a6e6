import Replication
import Testing

@Suite("How much waits on a connection")
struct CongestionTests {
    private func judge(_ queued: Int, live: Int, after before: Congestion) -> Congestion {
        Congestion(queued: queued, live: live, highWater: 100, lowWater: 20, before: before)
    }

    @Test
    func `is too much for what is bulky before it is too much for what is live`() {
        #expect(judge(99, live: 49, after: .none) == .none)
        #expect(judge(100, live: 49, after: .none) == .bulk)
        #expect(judge(1_000, live: 49, after: .bulk) == .bulk)
        #expect(judge(1_000, live: 50, after: .bulk) == .live)
        #expect(judge(50, live: 50, after: .none) == .live)
    }

    @Test
    func `stays too much until much less waits`() {
        #expect(judge(1_000, live: 10, after: .live) == .live)
        #expect(judge(1_000, live: 9, after: .live) == .bulk)
        #expect(judge(20, live: 9, after: .live) == .bulk)
        #expect(judge(20, live: 9, after: .bulk) == .bulk)
        #expect(judge(19, live: 9, after: .bulk) == .none)
        #expect(judge(19, live: 9, after: .live) == .none)
    }
}
