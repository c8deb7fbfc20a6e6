import Foundation
import OperationLog
import Testing

@testable import Conversations

@Suite("How names look, and what they may mean")
struct NameLookTests {
    // What is in the second of each pair, besides ASCII, is said behind it.
    @Test(arguments: [
        ("Alice", "aLICE"),
        ("Alice", "Аlice"),  // a Cyrillic A
        ("Alice", "Αlісе"),  // a Greek A, and Cyrillic i, c and e
        ("Alice", "A1ice"), ("Alice", "AIice"), ("Bob", "B0b"), ("Marcus", "rnarcus"),
        ("Bob", "Воb"),  // Cyrillic B and o
        ("Bob", "Ｂｏｂ"),  // wide
        ("Bob", "𝐁𝐨𝐛"),  // mathematical
        ("Bob", "B\u{301}o\u{200B}b"), ("Bob Zobel", " Bob \u{3000}Zobel"), ("Zoe", "Zoë"), ("Zoe", "Zoe\u{308}"),
        ("MAPK", "Марк"),  // Cyrillic
        ("O'Neil", "O’Neil"), ("Jean-Luc", "Jean‑Luc"), ("NIKH", "νικη"),  // Greek
        ("Νίκος", "ΝΊΚΟΣ"), ("Андрей", "АНДРЕИ\u{306}"), ("fish", "ﬁsh"),
    ])
    func `two names that a reader does not tell apart have one look`(one: String, other: String) {
        #expect(NameLook(of: one) == NameLook(of: other))
    }

    @Test(arguments: [
        ("Alice", "Alica"), ("Bob", "Bobby"), ("Bob Zobel", "BobZobel"), ("Anna", "Аndreas"), ("世界", "世間"),
        ("राम", "रमा"),
        ("Eva", "Ena"), ("Hanna", "Nanna"), ("👩", "👨"),
    ])
    func `two that a reader tells apart have two`(one: String, other: String) {
        #expect(NameLook(of: one) != NameLook(of: other))
    }

    @Test(arguments: [
        "Notes to yourself", "NOTES TO YOURSELF", "Notes  to\u{A0}yourself", "Nоtes to yоurself", "Notes to yourse1f",
        "Deleted User", "Deleted_User", "DeletedUser", "(Deleted User)", "Dе1eted Uѕer", "Unknоwn", "You", "Y0u", "Ｙｏｕ",
        "Only you", "nobody", "\u{200B}You", "[Deleted User]", "_You_", "~Unknown~", "{Nobody}", "\\Only you/", "^You",
        "`You`", "|You|",
    ])
    func
        `a word of Moot's own, or what looks like one, is nobody's name: it is refused, shown marked, and means nobody`(
            name: String
        )
    {
        #expect(throws: DisplayName.Fault.ownWord) { try DisplayName.chosen(name) }
        #expect(DisplayName.shown(name)?.hasSuffix("\" (a chosen name)") == true)
        switch Designation(name) {
        case .oneself, .ownWord: break
        case .id, .name: Issue.record("\(name) means somebody")
        }
    }

    @Test(arguments: [
        "Bob (you)", "Bob (YOU)", "Bob\u{FF08}you\u{FF09}", "Bob [verified]", "Bob (Bl\u{43E}cked)", "Bob (adrnin)",
        "Bob (y\u{200B}ou)", "\"You\" (a chosen name)", "Anna (x) ( you )",
    ])
    func `a name that ends as Moot's own remark is nobody's, and is shown marked`(name: String) {
        #expect(throws: DisplayName.Fault.ownWord) { try DisplayName.chosen(name) }
        #expect(DisplayName.shown(name)?.hasSuffix("\" (a chosen name)") == true)
    }

    @Test(arguments: [
        "Bob (work)", "Bob (your friend)", "(you) Bob", "Bob you)", "Bob (you", "Anna (member of parliament)",
    ])
    func `a name with other words in parentheses is one`(name: String) throws {
        #expect(try DisplayName.chosen(name).text == name)
        #expect(DisplayName.shown(name) == name)
    }

    @Test(arguments: ["Bob  online", "Bob      online", "Bob \u{3000}\u{2003} online", "Bob\u{2003}online"])
    func `no name makes a column of its own`(name: String) {
        #expect(DisplayName.shown(name) == "Bob online")
    }

    @Test(arguments: [
        "Notes", "Deleted Users", "Younes", "Yousef", "Unknown Soldier", "Nobody's Boat", "Somebody", "Moot",
    ])
    func `a name that only has such a word in it is one`(name: String) throws {
        #expect(try DisplayName.chosen(name).text == name)
        #expect(DisplayName.shown(name) == name)
        #expect(Designation(name) == .name(name, orID: nil))
    }

    @Test func `me is typed for oneself, so nobody is called so, and it is shown as it is`() {
        #expect(throws: DisplayName.Fault.ownWord) { try DisplayName.chosen("Me") }
        #expect(DisplayName.shown("Me") == "Me")
        #expect(Designation(" ME ") == .oneself)
        #expect(Designation("RNE") == .name("RNE", orID: nil))
    }

    @Test(
        arguments: [
            ("0123abcd", .id("0123abcd")), (" DEADBEEF ", .id("deadbeef")), ("20261128", .id("20261128")),
            ("0123\u{200B}abcd", .id("0123abcd")),
            (String(repeating: "a", count: 80), .id(String(repeating: "a", count: 80))),
            ("abcdef1", .name("abcdef1", orID: "abcdef1")), ("Edda", .name("Edda", orID: "edda")),
            ("abc", .name("abc", orID: nil)),
            ("0123abcg", .name("0123abcg", orID: nil)), (" Bob ", .name("Bob", orID: nil)), ("", .name("", orID: nil)),
        ] as [(String, Designation)])
    func `eight hexadecimal digits or more mean an id, fewer perhaps, anything else a name`(
        text: String, meaning: Designation
    ) {
        #expect(Designation(text) == meaning)
    }

    @Test func `the page has the same words`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CPage/assets/words.js")
        let text = try String(contentsOf: file, encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("export const own = ") })
        let words = line.matches(of: /(\w+): "([^"]*)"/).map { "\($0.output.1)=\($0.output.2)" }
        #expect(words == OwnWord.allCases.map { "\($0)=\($0.rawValue)" })
    }
}
