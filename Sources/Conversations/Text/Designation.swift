import OperationLog

/// What a text may mean by which a user names a person, a conversation or a device: the one rule for all of them.
///
/// Others choose names, and the user reads ids on their own screen. So what could be the beginning of an id is no name,
/// whoever is called so, and neither are Moot's own words.
public enum Designation: Hashable, Sendable {
    /// An id, or the beginning of one, in small letters: never a name.
    case id(String)
    /// The user, or their notes to themselves.
    case oneself
    /// A word of Moot's own, which names nobody and nothing.
    case ownWord(OwnWord)
    /// A name. Some may be the beginning of an id, too: then it means something only where both do not mean different
    /// things.
    case name(String, orID: String?)

    /// From so many hexadecimal digits on a text means an id, and no name.
    public static let idLength = 8
    /// How many hexadecimal digits of an id suffice to mean it where nobody is called so.
    public static let minimumPrefixLength = 4

    /// Reads what a user typed. White space around it does not count, nor do invisible characters in an id.
    public init(_ text: String) {
        let name = DisplayName.trimming(text)
        let visible = name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
        let isHexadecimal = visible.allSatisfy { $0.isASCII && $0.properties.isASCIIHexDigit }
        let digits = isHexadecimal ? String(String.UnicodeScalarView(visible)).lowercased() : ""
        if digits.utf8.count >= Self.idLength {
            self = .id(digits)
        } else if name.lowercased() == OwnWord.me {
            self = .oneself
        } else if let word = OwnWord(imitatedBy: name) {
            self = word == .notes ? .oneself : .ownWord(word)
        } else {
            self = .name(name, orID: digits.utf8.count >= Self.minimumPrefixLength ? digits : nil)
        }
    }

    /// Whether it is no name, but the beginning of an id.
    public var isID: Bool { if case .id = self { true } else { false } }

    /// The beginning of an id that the text may be; nil for none.
    public var idBeginning: String? {
        switch self {
        case .id(let beginning): beginning
        case .name(_, let beginning): beginning
        case .oneself, .ownWord: nil
        }
    }
}
