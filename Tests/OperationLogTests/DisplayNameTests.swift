import OperationLog
import Testing

@Suite("Names of people and groups")
struct DisplayNameTests {
    /// A family of four: 25 bytes, one character.
    private let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}"

    private func fault(_ text: String) -> DisplayName.Fault? {
        do throws(DisplayName.Fault) {
            _ = try DisplayName(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("Alice", "Alice"), ("  Alice\u{3000}", "Alice"), ("\nAlice\r\n", "Alice"), ("Anna Maria", "Anna Maria"),
        ("\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}"),
        ("\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{6CC}\u{200C}\u{62E}"), (".", "."), ("\u{301}", "\u{301}"),
        ("\u{1F1E9}\u{1F1EA}", "\u{1F1E9}\u{1F1EA}"), ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"),
    ])
    func `are trimmed and otherwise stay as they were written`(text: String, name: String) throws {
        #expect(try DisplayName(text).text.unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test(arguments: [
        "", " ", "\n", "\u{200B}", "\u{200F}", "\u{200D}\u{200C}", "\u{FEFF}", "\u{AD}", "\u{3164}", "\u{115F}\u{1160}",
        "\u{2800}", "\u{FE0F}", "\u{E0041}", "\u{2060} \u{34F}", "\u{FFF9}\u{FFFB}",
    ])
    func `need something that is seen`(text: String) {
        #expect(fault(text) == .nothingVisible)
    }

    @Test(arguments: [
        "Al\nice", "Al\r\nice", "Al\tice", "Al\u{0}ice", "\u{1B}[31mAlice", "Alice\u{7F}!", "Al\u{85}ice",
        "Al\u{9B}ice",
        "Al\u{2028}ice", "Al\u{2029}ice",
    ])
    func `have no control characters and no line breaks`(text: String) {
        #expect(fault(text) == .control)
    }

    @Test(
        arguments: Array(0x202A...0x202E as ClosedRange<UInt32>) + Array(0x2066...0x2069 as ClosedRange<UInt32>))
    func `have nothing that overrides or isolates the direction`(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(fault("Al\(Character(scalar))ice") == .direction)
        #expect(fault(String(Character(scalar))) == .direction)
    }

    @Test
    func `have 1 to 50 characters, however many bytes these take`() throws {
        for character in ["a", "\u{E9}", "e\u{301}", "\u{1F600}", family] {
            let longest = String(repeating: character, count: 50)
            #expect(try DisplayName(longest).text == longest)
            #expect(try DisplayName(" \(longest) ").text == longest)
            #expect(fault(longest + character) == .tooLong)
        }
    }

    @Test
    func `have at most 2,000 bytes, and say so where the characters are few`() throws {
        let marks = String(repeating: "\u{301}", count: 998)
        #expect(try DisplayName("aaaa" + marks).text.utf8.count == 2_000)
        #expect(fault("aaaaa" + marks) == .tooManyBytes)
        #expect(DisplayName.Fault.tooManyBytes.sentence(about: "A name").contains("2000 bytes"))
    }

    @Test
    func `tell in a sentence which part of the rule is broken`() {
        let sentences = DisplayName.Fault.allCases.map { $0.sentence(about: "A group name") }
        #expect(sentences.allSatisfy { $0.hasPrefix("A group name has ") })
        #expect(DisplayName.Fault.tooLong.sentence(about: "A name").contains("1 to 50 characters"))
    }
}
