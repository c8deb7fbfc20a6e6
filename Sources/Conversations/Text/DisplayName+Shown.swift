import OperationLog

extension DisplayName {
    /// How a name is shown that somebody else wrote, whatever it is; nil where nothing of it is seen.
    ///
    /// A name that keeps the rule is shown whole, but for marks that nobody sees. Of any other, one line of at most
    /// ``maximumLength`` characters is shown, as ``SanitizedText`` makes it. Several spaces in a row, which would look
    /// like the end of a column, are shown as one. A name that is or looks like what Moot itself says is shown marked.
    public static func shown(_ raw: String) -> String? {
        cleaned(raw).map { OwnWord.isImitated(by: $0) ? OwnWord.marking($0) : $0 }
    }

    /// Takes a text as a name that the user of this node gives to themselves or to a group.
    ///
    /// - Throws: ``Fault``; `ownWord` for what others would be shown marked.
    public static func chosen(_ text: String) throws(Fault) -> DisplayName {
        let name = try DisplayName(text)
        guard !OwnWord.isImitated(by: name.text), name.text.lowercased() != OwnWord.me else { throw .ownWord }
        return name
    }

    private static func cleaned(_ raw: String) -> String? {
        if SanitizedText.isPlain(raw), isTrimmed(raw) { return raw }
        let line: String
        if let name = try? DisplayName(raw) {
            line = SanitizedText.line(name.text)
        } else {
            line = SanitizedText.line(trimming(raw), limit: maximumLength)
        }
        return isVisible(line) ? trimming(joiningSpaces(line)) : nil
    }

    private static func joiningSpaces(_ line: String) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a text of printable ASCII is as it is shown: short enough, without spaces around it, and none but single
    /// ones in it.
    private static func isTrimmed(_ raw: String) -> Bool {
        (1...maximumLength).contains(raw.utf8.count) && raw.utf8.first != UInt8(ascii: " ")
            && raw.utf8.last != UInt8(ascii: " ")
            && !zip(raw.utf8, raw.utf8.dropFirst()).contains { $0 == UInt8(ascii: " ") && $1 == UInt8(ascii: " ") }
    }
}
