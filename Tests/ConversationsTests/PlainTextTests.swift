import Conversations
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Texts of plain ASCII")
struct PlainTextTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a name of them is shown as the rule for all names says`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let scalars = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            // Also what is just outside: controls, the delete character, and what is not ASCII.
            Character(Unicode.Scalar(UInt8.random(in: 0x1E...0x82, using: &random)))
        }
        let raw = seed.isMultiple(of: 2) ? String(scalars.filter { (" "..."~").contains($0) }) : String(scalars)
        var expected: String?
        if let name = try? DisplayName(raw) {
            // An accent that is appended keeps the text from being taken for plain.
            expected = SanitizedText.line(name.text + "\u{301}")
            expected?.unicodeScalars.removeLast()
            expected = expected?.split(separator: " ").joined(separator: " ")
        }
        guard let expected, DisplayName.isVisible(expected) else { return }
        #expect(DisplayName.shown(raw) == DisplayName.trimming(expected))
    }
}
