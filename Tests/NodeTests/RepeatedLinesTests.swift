import Logging
import Testing
import Time

@testable import Node

@Suite("Lines of the log that say nothing new")
struct RepeatedLinesTests {
    private var lines = RepeatedLines()

    private func at(_ seconds: Int) -> Instant { Instant(sinceStart: .seconds(seconds)) }

    @Test mutating func `are left out for a while, and counted`() {
        #expect(lines.take("full", for: .seconds(60), at: at(0)) == 0)
        for second in 1...59 { #expect(lines.take("full", for: .seconds(60), at: at(second)) == nil) }
        #expect(lines.take("another", for: .seconds(60), at: at(59)) == 0)
        #expect(lines.take("full", for: .seconds(60), at: at(60)) == 59)
        #expect(lines.take("full", for: .seconds(60), at: at(61)) == nil)
        #expect(lines.take("full", for: .seconds(60), at: at(200)) == 1)
    }

    @Test mutating func `are forgotten before they take more room than they may`() {
        #expect(lines.take("long", for: .seconds(9_000), at: at(0)) == 0)
        for number in 0..<1_000 {
            #expect(lines.take("\(number)", for: .seconds(60), at: at(1)) == 0)
            #expect(lines.count <= RepeatedLines.maximumLines)
        }
        #expect(lines.take("long", for: .seconds(9_000), at: at(2)) == nil, "the others went first")
        #expect(lines.take("999", for: .seconds(60), at: at(2)) == nil)
    }

    @Test func `are those with the same words and the same data, or of the same kind`() {
        let line = LogLine(.warning, "a card was refused", ["reason": "bad", "code": "x"])
        #expect(line.key == LogLine(.warning, "a card was refused", ["code": "x", "reason": "bad"]).key)
        #expect(line.key != LogLine(.warning, "a card was refused", ["code": "y", "reason": "bad"]).key)
        #expect(line.key != LogLine(.warning, "a batch was refused", ["code": "x", "reason": "bad"]).key)
        #expect(LogLine(.warning, "a", ["b": "c"], as: "k").key == LogLine(.warning, "a", ["b": "d"], as: "k").key)
    }
}
