import LocalAPIModel

/// A `config.toml`: of TOML the part that settings need, which is tables, keys, texts in quotes, and lists of those on one line.
struct ConfigurationFile: Equatable {
    /// What a setting says.
    enum Value: Equatable {
        case text(String)
        case list([String])
    }

    /// A setting and its line.
    struct Entry: Equatable {
        /// With its table: `files.quota`.
        let key: String
        let value: Value
        let line: Int
    }

    /// The settings, in their order.
    private(set) var entries: [Entry] = []

    /// Reads a file's text.
    ///
    /// - Throws: `bad_configuration`, with the line, for what is no such file.
    init(parsing text: String, named name: String) throws(Failure) {
        var table = ""
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = Self.trimmed(line)
            guard let first = line.first, first != "#" else { continue }
            if first == "[", let end = line.firstIndex(of: "]"), Self.isEnd(line[line.index(after: end)...]),
                case let title = Self.trimmed(line[line.index(after: line.startIndex)..<end]), Self.isKey(title)
            {
                table = title + "."
            } else if let (key, value) = Self.setting(in: line), !entries.contains(where: { $0.key == table + key }) {
                entries.append(Entry(key: table + key, value: value, line: number + 1))
            } else {
                throw Failure(
                    .badConfiguration, "\(name), line \(number + 1) is no setting, or one that occurs twice",
                    hint: "A setting is one line such as: quota = \"20GiB\", below its table: [files]")
            }
        }
    }

    private static func setting(in line: String) -> (key: String, value: Value)? {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let key = trimmed(line[..<sign])
        var rest = trimmed(line[line.index(after: sign)...])[...]
        guard isKey(key), let value = rest.first == "[" ? list(from: &rest) : text(from: &rest).map(Value.text),
            isEnd(rest)
        else { return nil }
        return (key, value)
    }

    /// Takes a text in quotes from the beginning of a line.
    private static func text(from rest: inout Substring) -> String? {
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
        let quoted = rest.dropFirst()
        // No setting needs what is behind a backslash.
        guard let end = quoted.firstIndex(of: quote), quote == "'" || !quoted[..<end].contains("\\") else { return nil }
        rest = quoted[quoted.index(after: end)...]
        return String(quoted[..<end])
    }

    /// Takes texts between brackets, with commas between them; one may follow the last.
    private static func list(from rest: inout Substring) -> Value? {
        var texts: [String] = []
        rest = rest.dropFirst().drop(while: \.isWhitespace)
        while rest.first != "]" {
            guard let text = text(from: &rest) else { return nil }
            texts.append(text)
            rest = rest.drop(while: \.isWhitespace)
            guard rest.first == "," else { break }
            rest = rest.dropFirst().drop(while: \.isWhitespace)
        }
        guard rest.first == "]" else { return nil }
        rest = rest.dropFirst()
        return .list(texts)
    }

    /// Whether nothing follows but a comment.
    private static func isEnd(_ rest: Substring) -> Bool {
        let rest = trimmed(rest)
        return rest.isEmpty || rest.hasPrefix("#")
    }

    private static func isKey(_ text: String) -> Bool {
        !text.isEmpty
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == ".") }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest = rest.dropLast() }
        return String(rest)
    }
}
