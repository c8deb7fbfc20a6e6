import Testing

@testable import LocalAPIClient

@Suite("An event stream with anything in it")
struct EventStreamFuzzingTests {
    private static let words = [
        "data: ", "data:", "data", "\n", "\n\n", "\r\n", ": ", "id: 7\n", "event: message\n", "{}", "\0",
    ]

    @Test(arguments: 1...100 as ClosedRange<UInt64>)
    func `holds the same events wherever it is cut, and no more than was sent`(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            if Int.random(in: 0..<4, using: &random) > 0, let word = Self.words.randomElement(using: &random) {
                bytes += Array(word.utf8)
            } else {
                bytes.append(UInt8.random(in: .min ... .max, using: &random))
            }
        }
        var whole = EventStreamParser()
        let events = try whole.consume(bytes)
        #expect(events.map(\.count).reduce(0, +) <= bytes.count)
        #expect(events.allSatisfy { !$0.isEmpty && !$0.contains(UInt8(ascii: "\n")) })

        var cut = EventStreamParser()
        var rest = bytes[...]
        var found: [[UInt8]] = []
        while !rest.isEmpty {
            let size = Int.random(in: 1...5, using: &random)
            found += try cut.consume(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(found == events)
    }

    @Test
    func `with a line that never ends is refused`() throws {
        var parser = EventStreamParser()
        _ = try parser.consume(repeatElement(UInt8(ascii: "a"), count: EventStreamParser.maximumLineBytes))
        #expect(throws: LocalClientError.self) { try parser.consume([UInt8(ascii: "a")]) }
    }
}
