/// What a person or a group may be called: one rule for both.
///
/// A name is trimmed of white space. It has 1 to ``maximumLength`` characters, of which at least one is visible. It has
/// no control characters and no line breaks, and nothing that overrides or isolates the direction of text. Others show
/// a name that breaks the rule as far as they can, so the rule may change without splitting anybody's log.
public struct DisplayName: Hashable, Sendable {
    /// Characters of a name: extended grapheme clusters, as Unicode counts them.
    public static let maximumLength = 50
    /// Bytes of UTF-8 of a name: 40 for each character, where a family of emoji takes 25.
    public static let maximumBytes = 2_000

    /// The name, trimmed.
    public let text: String

    /// Which part of the rule a text breaks.
    public enum Fault: Error, Hashable, Sendable, CaseIterable {
        /// It is empty, or nothing of it is seen.
        case nothingVisible
        /// It has more characters than ``maximumLength``.
        case tooLong
        /// Its characters take more bytes than ``maximumBytes``.
        case tooManyBytes
        /// It has a line break or another control character.
        case control
        /// It has a character that overrides or isolates the direction of text.
        case direction
        /// It is a word of the program's own, or looks like one. No card and no operation is judged by it: it is for
        /// whoever chooses a name.
        case ownWord

        /// The part of the rule that is broken, as a sentence.
        ///
        /// - Parameter kind: what is named, such as "A group name".
        public func sentence(about kind: String) -> String {
            switch self {
            case .nothingVisible, .tooLong:
                "\(kind) has 1 to \(maximumLength) characters, and at least one that is visible"
            case .tooManyBytes: "\(kind) has at most \(maximumBytes) bytes: these characters are made of too many parts"
            case .control: "\(kind) has no line breaks and no other control characters"
            case .direction: "\(kind) has no characters that override the direction of text"
            case .ownWord:
                "\(kind) has to look different from the words that Moot itself shows in its place, such as \"Deleted User\""
            }
        }
    }

    /// Takes a text as a name.
    ///
    /// - Throws: ``Fault``, the first part of the rule that is broken.
    public init(_ text: String) throws(Fault) {
        let name = Self.trimming(text)
        for scalar in name.unicodeScalars {
            if Self.breaksLine(scalar) { throw .control }
            if Self.overridesDirection(scalar) { throw .direction }
        }
        guard Self.isVisible(name) else { throw .nothingVisible }
        guard name.utf8.count <= Self.maximumBytes else { throw .tooManyBytes }
        guard name.count <= Self.maximumLength else { throw .tooLong }
        self.text = name
    }

    /// A text without the white space around it.
    public static func trimming(_ text: String) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// Whether anything of a text is seen.
    public static func isVisible(_ text: String) -> Bool { text.unicodeScalars.contains(where: isVisible) }

    /// Whether a scalar is a control character, or separates lines or paragraphs.
    private static func breaksLine(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether a scalar embeds, overrides or isolates a direction, or ends that.
    private static func overridesDirection(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
    }

    /// Whether a scalar is seen, or changes how others are seen.
    public static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // These have a width or annotate others, and show nothing themselves.
        case "\u{2800}", "\u{1D159}", "\u{FFF9}"..."\u{FFFB}": false
        default:
            !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar.properties.generalCategory != .control
        }
    }
}
