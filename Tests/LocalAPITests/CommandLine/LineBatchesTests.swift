import LocalAPIModel
import Testing

@testable import moot

@Suite("Lines to send")
struct LineBatchesTests {
    private func batches(of input: [UInt8], maximumLines: Int = 1_000, pieces: Int = 7) throws -> [[String]] {
        var batches = LineBatches(maximumLines: maximumLines)
        var taken: [[String]] = []
        for start in stride(from: 0, to: input.count, by: pieces) {
            try batches.take(Array(input[start..<min(start + pieces, input.count)]))
            while let batch = batches.next(partly: false) { taken.append(batch) }
        }
        try batches.finish()
        while let batch = batches.next(partly: true) { taken.append(batch) }
        return taken
    }

    @Test(arguments: 1...20)
    func `are the same however they arrive`(pieces: Int) throws {
        let input = Array("one\ntwo\r\n\n   \nZeile drei 🚢\nlast without end".utf8)
        #expect(try batches(of: input, pieces: pieces) == [["one", "two", "Zeile drei 🚢", "last without end"]])
    }

    @Test func `go out in bursts`() throws {
        let input = Array((1...25).map { "\($0)\n" }.joined().utf8)
        let batches = try batches(of: input, maximumLines: 10)
        #expect(batches.map(\.count) == [10, 10, 5])
        #expect(batches.flatMap(\.self) == (1...25).map(String.init))
    }

    @Test func `never make a request too large, whatever has to be escaped`() throws {
        let line = String(repeating: "\u{1}\"\\", count: 5_000)
        let input = Array(String(repeating: line + "\n", count: 200).utf8)
        let batches = try batches(of: input, pieces: 65_536)
        #expect(batches.flatMap(\.self).count == 200)
        for batch in batches { #expect(try WireFormat.encode(batch).count < 1_000_000) }
    }

    @Test func `that cannot be messages are named by number`() {
        #expect(throws: LineBatches.BadLine.notUnicode(line: 2)) {
            try batches(of: Array("good\n".utf8) + [0xFF, 0x0A])
        }
        #expect(throws: LineBatches.BadLine.tooLong(line: 1)) {
            try batches(of: Array(repeating: UInt8(ascii: "x"), count: LineBatches.maximumLineBytes + 1), pieces: 4_096)
        }
    }

    @Test func `are none in an empty input`() throws {
        #expect(try batches(of: []).isEmpty)
    }
}
