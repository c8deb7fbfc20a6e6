import Testing

@testable import Simulation

@Suite("An event queue")
struct EventQueueTests {
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `gives the earliest first, and of one time the first that came`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = EventQueue<Int>()
        var expected: [(time: Int, event: Int)] = []
        for event in 0..<200 {
            let time = Int.random(in: 0..<40, using: &random)
            queue.add(event, at: time)
            expected.append((time, event))
        }
        expected.sort { ($0.time, $0.event) < ($1.time, $1.event) }
        for entry in expected {
            #expect(queue.nextTime == entry.time)
            #expect(queue.next()?.event == entry.event)
        }
        #expect(queue.next() == nil)
    }
}
