import MembershipScenarios
import Testing

@Suite("Lines of scenarios")
struct ScenarioLinesTests {
    /// The lines of a text that arrives in pieces.
    private func lines(_ text: String, pieces: Int, maximumBytes: Int = 100) throws -> [String] {
        var rest = Array(text.utf8)[...]
        var lines = ScenarioLines(maximumBytes: maximumBytes) {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
        var found: [String] = []
        while let line = try lines.next() {
            switch line.bytes {
            case .success(let bytes): found.append("\(line.number) \(String(decoding: bytes, as: UTF8.self))")
            case .failure(let malformed): found.append("\(line.number) \(malformed)")
            }
        }
        return found
    }

    @Test(arguments: 1...20)
    func `are the same however they arrive, and blank ones only count`(pieces: Int) throws {
        let text = "\none\n\n \t\r\ntwo é\r\n\n\nlast without end"
        #expect(try lines(text, pieces: pieces) == ["2 one", "5 two é\r", "8 last without end"])
        #expect(try lines("", pieces: pieces).isEmpty)
        #expect(try lines("\n\n  ", pieces: pieces).isEmpty)
    }

    @Test(arguments: 1...20)
    func `that are too long are told, and the next one is read`(pieces: Int) throws {
        let text = "12345\n123456\n1234567890\n1\n1234567"
        #expect(
            try lines(text, pieces: pieces, maximumBytes: 5)
                == ["1 12345", "2 tooLong(limit: 5)", "3 tooLong(limit: 5)", "4 1", "5 tooLong(limit: 5)"])
    }

    @Test func `end with what reading throws`() {
        struct Broken: Error {}
        var lines = ScenarioLines { throw Broken() }
        #expect(throws: Broken.self) { try lines.next() }
    }

    @Test func `may be 16 MiB long`() {
        #expect(
            MalformedScenario.tooLong(limit: ScenarioLines.maximumLineBytes).sentence
                == "the line is longer than 16 MiB")
    }
}
