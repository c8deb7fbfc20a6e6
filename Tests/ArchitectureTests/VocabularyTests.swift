import Foundation
import Testing

/// One word for one thing, and the field's word where there is one: the words that these replaced do not come back.
@Suite("Vocabulary")
struct VocabularyTests {
    /// Words that are not used, as whole words or as parts of a name in camel case, and what is said instead.
    ///
    /// Each is a part of a regular expression. One that begins with a capital letter is the name of a type only.
    static let replaced: [(word: String, by: String)] = [
        ("beside(?!s)", "concurrent, or next to"), ("for ever", "forever"), ("deed", "operation, or IndexedAction"),
        ("farewell", "removal proof"), ("outlet", "notification sink"), ("Occasion", "NotificationTrigger"),
        ("tier", "role"),
        ("he", "they"), ("him", "them"), ("his", "their"), ("himself", "themselves"), ("she", "they"),
        ("hers?", "their"),
        ("the own", "its own, or their own"), ("KnownPoint", "SelfTestPoint"), ("Hindsight", "PastVerdict"),
        ("Guardian", "Protection"), ("Pen", "OperationForge"),
        ("Mailbox", "queue"), ("Promise(?=\\.[a-z])", "Invariant"), ("Inspector", "InvariantChecker"),
        ("Agenda", "EventQueue"), ("Happening", "Event"),
        ("settle debts", "write obligations"), ("if owed", "if needed"), ("handedOut", "disclosedRanges"),
        ("storage trouble", "last storage error"), ("fruitless", "empty replies"), ("patience", "timeout"),
        ("Filler", "GapSource"), ("Typists", "TypingIndicators"), ("Harmless", "SanitizedText"),
        ("Press", "BlobEncoder"), ("KnownSignature", "SelfTestVector"), ("thoseWho", "readers"),
        ("PrivateState", "ConversationPreferences"), ("PrivateChange", "ConversationPreferencesUpdate"),
        ("neighbour", "neighbor"), ("dialled", "dialed"), ("colour", "color"), ("behaviour", "behavior"),
        ("recognise[drs]?", "recognize"), ("authorise[drs]?", "authorize"), ("initialise[drs]?", "initialize"),
        ("dialler", "dialer"), ("dialling", "dialing"), ("offence", "offense"),
        ("Objection", "VoidReason"), ("TieKey", "TieBreaker"), ("Intake", "InboundQueue"), ("CellKey", "StorageKey"),
        ("ComparingCode", "SafetyNumber"), ("KeptReceipt", "StoredReceipt"), ("DifferentClock", "ClockSkew"),
        ("Teller", "HintSource"), ("PushPace", "PushRateLimit"), ("Warrant", "RequiredAuthority"),
        ("BodyShares", "BodyQuotas"), ("FileShares", "FileQuotas"), ("SlowHash", "MemoryHardHash"),
        ("effective time", "hybrid time"), ("comparing code", "safety number"), ("usualPort", "defaultListenPort"),
        ("judgement", "judgment"), ("labelled", "labeled"), ("signalled", "signaled"), ("rumour", "rumor"),
    ]

    /// What finds a word and the names that contain it.
    private static func pattern(of word: String) -> String {
        if word.first?.isUppercase == true { return #"(?<![A-Za-z])\#(word)(?![a-z])"# }
        let words = word.split(separator: " ")
        // "settle debts" is also `settleDebts` and `SettleDebts`; a type is neither a word nor a part of a longer name.
        let name = words[0] + words.dropFirst().map(\.capitalized).joined()
        let capital = name.prefix(1).uppercased() + name.dropFirst()
        return #"(?<![A-Za-z])(\#(word)|\#(name)|\#(capital))s?(?![a-z])|(?<=[a-z])\#(capital)s?(?![a-z])"#
    }

    /// Where an unused word stands in a text: the lines.
    static func lines(of text: String, saying word: String) throws -> [Int] {
        let regex = try NSRegularExpression(pattern: pattern(of: word))
        let whole = text as NSString
        return regex.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { match in
            whole.substring(to: match.range.location).count { $0.isNewline } + 1
        }
    }

    @Test
    func `unused words do not come back`() throws {
        let files =
            try Repository.pages() + Repository.articles() + Repository.paths(below: "Sources", endingIn: ".swift")
            + ["Sources/COpenAPI/openapi.json"]
        try #require(files.count > 500, "\(files.count) files: does this test look in the right place?")
        for path in files.sorted() {
            let text = try Repository.text(path)
            for (word, better) in Self.replaced {
                for line in try Self.lines(of: text, saying: word) {
                    Issue.record("\(path):\(line) says \"\(word)\": say \(better)")
                }
            }
        }
    }

    @Test(arguments: [
        ("a grant made beside it", "beside(?!s)", true), ("what it takes besides", "beside(?!s)", false),
        ("let patience = 3", "patience", true), ("static let chunkPatience = 3", "patience", true),
        ("settleDebts(in: id)", "settle debts", true), ("to settle debts", "settle debts", true),
        ("enum Agenda {", "Agenda", true), ("an agenda", "Agenda", false), ("for everybody", "for ever", false),
        ("PressedFiles", "Press", false), ("what he wrote", "he", true), ("the here and now", "he", false),
        ("BlobPress", "Press", false), ("indeed", "deed", false),
    ])
    func `words and names are found, and nothing else`(line: String, word: String, isFound: Bool) throws {
        #expect(try Self.lines(of: line, saying: word).isEmpty != isFound)
    }
}
