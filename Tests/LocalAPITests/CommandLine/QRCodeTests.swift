import QRCodes
import Testing

@testable import moot

@Suite("Contact codes as QR codes")
struct QRCodeTests {
    private static let text = "moot:contact:AHHBKPRSGVCI6KOKSBJKMYHDNK6ZXH64OL4AUQCZUJBH74DLDI3QNB4JTTPPCWQT33DQ"

    @Test func `have the three marks by which a camera finds them`() throws {
        let code = try #require(QRCode(Self.text))
        let mark = ["XXXXXXX", "X.....X", "X.XXX.X", "X.XXX.X", "X.XXX.X", "X.....X", "XXXXXXX"]
        for (top, left) in [(0, 0), (0, code.size - 7), (code.size - 7, 0)] {
            let found = (0..<7).map { row in
                String((0..<7).map { code.isDark(row: top + row, column: left + $0) ? "X" : "." })
            }
            #expect(found == mark)
        }
    }

    @Test(arguments: [false, true])
    func `are drawn module by module, with room around`(onLightBackground: Bool) throws {
        let code = try #require(QRCode(Self.text))
        let lines = code.lines(onLightBackground: onLightBackground)
        #expect(lines.allSatisfy { $0.count == code.width })
        #expect(lines.count == (code.width + 1) / 2)
        for row in 0..<code.width {
            for (column, character) in lines[row / 2].enumerated() {
                let isPainted = character == "█" || character == (row.isMultiple(of: 2) ? "▀" : "▄")
                let isDark = code.isDark(row: row - QRCode.quietZone, column: column - QRCode.quietZone)
                #expect(isPainted == (isDark == onLightBackground))
            }
        }
    }

    @Test func `fit a terminal of 80 columns, however many addresses there are`() throws {
        // The longest contact code: 234 characters after its beginning.
        let longest = try #require(QRCode("moot:contact:" + String(repeating: "A7", count: 117)))
        #expect(longest.width <= 80)
        #expect(QRCode(String(repeating: "x", count: 5_000)) == nil)
    }

    @Test func `are drawn as SVG with a square for every dark module, and nothing else`() throws {
        let code = try #require(QRCode(Self.text))
        var dark = Set<[Int]>()
        for run in code.svg.matches(of: /M(\d+) (\d+)h(\d+)v1H/) {
            let (column, row, length) = (try #require(Int(run.1)), try #require(Int(run.2)), try #require(Int(run.3)))
            for place in column..<column + length { dark.insert([row, place]) }
        }
        for row in 0..<code.width {
            for column in 0..<code.width {
                let isDark = code.isDark(row: row - QRCode.quietZone, column: column - QRCode.quietZone)
                #expect(dark.contains([row, column]) == isDark)
            }
        }
        #expect(code.svg.hasPrefix("<svg xmlns=") && code.svg.utf8.count < 60 * code.size * code.size)
    }
}
