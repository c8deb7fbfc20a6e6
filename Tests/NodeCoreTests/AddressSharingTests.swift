import Cryptography
import OperationLog
import Replication
import Testing
import Time

@testable import NodeCore

/// The moments at which others are told who has come.
@Suite("News of where others are")
struct AddressSharingTests {
    private var sharing = AddressSharing()

    private mutating func meet(_ number: Int, at now: Instant) {
        _ = sharing.meet(
            DeviceID(digest: .hash("moot/1/test", Array("\(number)".utf8))), at: "10.0.0.\(number):4000",
            on: PeerHandle(rawValue: UInt64(number)), isStranger: false, now: now)
    }

    /// Lets people come, one in each tenth of a second.
    ///
    /// - Returns: when others were told, and how many of them.
    private mutating func tell(of people: Range<Int>, since start: Instant) -> [(at: Duration, count: Int)] {
        var told: [(at: Duration, count: Int)] = []
        for (step, number) in people.enumerated() {
            let passed = Duration.milliseconds(100 * step)
            meet(number, at: start + passed)
            let messages = sharing.tell(at: start + passed)
            if !messages.isEmpty { told.append((passed, messages.count)) }
        }
        return told
    }

    @Test mutating func `wait the longer, the more were told before`() throws {
        let start = Instant(sinceStart: .zero)
        for number in 0..<40 { meet(number, at: start) }
        #expect(sharing.tell(at: start + .milliseconds(200)).isEmpty, "more may come")
        // The last to come was told of the others on arrival.
        #expect(sharing.tell(at: start + .milliseconds(300)).count == 39)
        let told = tell(of: 40..<100, since: start + .milliseconds(300))
        #expect(told.count >= 3 && told.first?.at == .milliseconds(1_000))
        for (earlier, later) in zip(told, told.dropFirst()) {
            let pause = later.at - earlier.at
            #expect(pause >= .milliseconds(25) * earlier.count, "after \(earlier.count)")
            #expect(pause < .milliseconds(25) * earlier.count + .milliseconds(400), "and not longer")
        }
        // Nobody is forgotten over it.
        meet(100, at: start + .milliseconds(6_300))
        let end = try #require(sharing.next)
        #expect(!sharing.tell(at: end).isEmpty && sharing.next == nil)
    }

    @Test mutating func `come in a quarter of a second where few are there`() {
        let start = Instant(sinceStart: .zero)
        for number in 0..<3 { meet(number, at: start) }
        #expect(sharing.tell(at: start + .milliseconds(250)).count == 2)
        meet(3, at: start + .seconds(1))
        #expect(sharing.next == start + .milliseconds(1_250))
    }
}
