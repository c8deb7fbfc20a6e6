import Cryptography
import OperationLog
import Testing
import Time

@testable import NodeCore

@Suite("How soon rows of a revoked device are hidden again")
struct SettlingPaceTests {
    private let start = Instant(sinceStart: .seconds(10))
    private var pace = SettlingPace()

    private func content(_ group: String, _ device: String = "stolen") -> DeviceContent {
        DeviceContent(
            conversation: ConversationID(digest: .hash("group", Array(group.utf8))),
            device: DeviceID(digest: .hash("device", Array(device.utf8))))
    }

    @Test mutating func `nothing waits that is hidden or shown for the first time, whatever else rests`() {
        pace.rest(after: 12_000, of: content("a"), at: start)
        let waits = [content("b"), content("a", "lost")].map { pace.postpone($0, at: start) }
        #expect(waits == [false, false] && pace.nextDeadline == nil)
    }

    @Test(arguments: [(1, Duration.microseconds(500)), (12_000, .seconds(6)), (1_000_000, .seconds(60))])
    mutating func `what was hidden again rests for what it cost`(rows: Int, rest: Duration) {
        pace.rest(after: rows, of: content("a"), at: start)
        #expect(pace.nextDeadline == nil, "nothing waits")
        let waits = pace.postpone(content("a"), at: start)
        #expect(waits && pace.nextDeadline == start + rest)
        let early = pace.takeTurn(at: start + (rest - .microseconds(1)))
        #expect(early == nil)
        let turn = pace.takeTurn(at: start + rest)
        #expect(turn == content("a") && pace.nextDeadline == nil)
        let later = pace.postpone(content("a"), at: start + rest)
        #expect(!later)
    }

    /// A stranger may have many groups in which they do that.
    @Test mutating func `all groups together cost no more than one`() {
        let groups = (0..<8).map { content("\($0)") }
        for group in groups { pace.rest(after: 12_000, of: group, at: start) }
        for group in groups + groups { _ = pace.postpone(group, at: start) }
        var now = start
        var turns: [DeviceContent] = []
        for _ in 0..<1_000 {
            now = now + .milliseconds(500)
            while let turn = pace.takeTurn(at: now) {
                turns.append(turn)
                pace.rest(after: 12_000, of: turn, at: now)
                _ = pace.postpone(turn, at: now)
            }
        }
        // In 500 s, after 48 s of rests.
        #expect((70...76).contains(turns.count), "\(turns.count)")
        #expect(Set(turns) == Set(groups))
    }
}
