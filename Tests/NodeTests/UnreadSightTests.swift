import Cryptography
import OperationLog
import Testing
import Time

@testable import Node

@Suite("Unread messages, counted once in a while")
struct UnreadSightTests {
    private func id(_ number: Int) -> OperationID { OperationID(digest: .hash("test", [UInt8(number)])) }

    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(clamping: 1_700_000_000_000 + milliseconds) }

    @Test func `what was stored together, and is told of one after the other, is counted once`() {
        // Three came at 10, 11 and 12 and were stored with one flush; then the first is told of, and all are counted.
        var sight = UnreadSight(3, countedAt: time(13), with: [id(1): time(10)], ends: .seconds(1))
        let second = sight.add([id(2): time(11)])
        #expect(second)
        let third = sight.add([id(3): time(12)])
        #expect(third)
        #expect(sight.count == 3)
    }

    @Test func `what comes later is added, once`() {
        var sight = UnreadSight(1, countedAt: time(13), with: [id(1): time(13)], ends: .seconds(1))
        let later = sight.add([id(2): time(14)])
        #expect(later)
        let again = sight.add([id(2): time(14), id(1): time(13)])
        #expect(again)
        #expect(sight.count == 2)
    }

    @Test func `what came in the moment of the count is counted anew`() {
        var sight = UnreadSight(1, countedAt: time(13), with: [id(1): time(12)], ends: .seconds(1))
        let moment = sight.add([id(2): time(13)])
        #expect(!moment)
    }
}
