import Testing

@testable import moot

@Suite("Tables")
struct TableTests {
    private static let address = "[fe80::1234:5678:9abc:def0%enp0s31f6]:47470"

    private func lines(isCut: Bool) -> [String] {
        var table = Table("NAME", "ADDRESS", "TEXT")
        table.add("Bob", Self.address, String(repeating: "long ", count: 40))
        return table.lines(Output(isJSON: false, isQuiet: false), isCut: isCut)
    }

    @Test func `cut a column on a terminal, and none but the last for a program`() {
        #expect(!lines(isCut: true)[1].contains(Self.address))
        #expect(lines(isCut: false)[1].contains("Bob   \(Self.address)  long"))
        for isCut in [true, false] { #expect(lines(isCut: isCut)[1].hasSuffix("…")) }
    }

    @Test func `have titles in columns as wide as what is below`() {
        let lines = lines(isCut: false)
        #expect(lines[0].hasPrefix("NAME  ADDRESS "))
        let columns = zip(lines, ["TEXT", "long"]).map { line, word in
            line.firstRange(of: word)?.lowerBound.utf16Offset(in: line)
        }
        #expect(columns[0] == columns[1] && columns[0] != nil)
    }
}
