/// One Swift file, with its code told apart from what only looks like code: comments and string literals.
struct SwiftSource {
    /// Where the file lies, below `Sources`.
    let path: String

    /// The lines as they stand in the file.
    let lines: [String]

    /// The same lines with comments, string contents and raw identifiers blanked out, so that a rule may search
    /// them for names. Code inside a string interpolation is code and stays.
    let codeLines: [String]

    init(path: String, text: String) {
        self.path = path
        self.lines = Self.split(text)
        var blanking = Blanking(text)
        self.codeLines = Self.split(blanking.code())
    }

    private static func split(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The modules the file imports, each with its line number, counted from 1.
    var imports: [(module: String, line: Int)] {
        codeLines.enumerated().compactMap { index, code in
            guard let match = code.firstMatch(of: Self.importDeclaration) else { return nil }
            return (String(match.output.module), index + 1)
        }
    }

    private static var importDeclaration: Regex<(Substring, module: Substring)> {
        /^\s*(?:(?:@\w+(?:\([^)]*\))?|public|package|internal|fileprivate|private)\s+)*import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func)\s+)?(?<module>\w+)/
    }
}

/// Reads Swift as far as needed to know where comments and strings begin and end.
private struct Blanking {
    private var rest: ArraySlice<Character>
    private var output = ""

    init(_ text: String) {
        self.rest = ArraySlice(text)
    }

    mutating func code() -> String {
        readCode(untilClosingParenthesis: false)
        return output
    }

    /// Copies code. Inside an interpolation it ends behind the parenthesis that closes it.
    private mutating func readCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while let character = rest.first {
            if starts(with: "//") {
                blank(while: { $0 != "\n" })
            } else if starts(with: "/*") {
                blankBlockComment()
            } else if character == "`" {
                blank(1)
                blank(while: { $0 != "`" && $0 != "\n" })
                blank(1)
            } else if let pounds = poundsBeforeQuote() {
                readString(pounds: pounds)
            } else {
                if character == "(" {
                    depth += 1
                } else if character == ")" {
                    if untilClosingParenthesis && depth == 0 { return keep() }
                    depth -= 1
                }
                keep()
            }
        }
    }

    /// Blanks a string literal, from its first pound sign or quote to its last.
    private mutating func readString(pounds: Int) {
        let fence = String(repeating: "#", count: pounds)
        blank(pounds)
        let isMultiline = starts(with: "\"\"\"")
        let quotes = isMultiline ? "\"\"\"" : "\""
        blank(quotes.count)
        while let character = rest.first {
            if starts(with: quotes + fence) {
                return blank(quotes.count + pounds)
            } else if starts(with: "\\" + fence + "(") {
                blank(1 + pounds)
                keep()
                readCode(untilClosingParenthesis: true)
            } else if starts(with: "\\" + fence) {
                blank(2 + pounds)
            } else if character == "\n" && !isMultiline {
                // Not a string after all (a quote in a regular expression): do not swallow the rest of the file.
                return
            } else {
                blank(1)
            }
        }
    }

    private mutating func blankBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && !rest.isEmpty
    }

    /// The number of pound signs in front of a string's opening quote, or nil where no string begins.
    private func poundsBeforeQuote() -> Int? {
        let pounds = rest.prefix(while: { $0 == "#" }).count
        return rest.dropFirst(pounds).first == "\"" ? pounds : nil
    }

    private func starts(with prefix: String) -> Bool {
        rest.starts(with: prefix)
    }

    private mutating func keep() {
        if let character = rest.popFirst() { output.append(character) }
    }

    private mutating func blank(_ count: Int) {
        for _ in 0..<count {
            guard let character = rest.popFirst() else { return }
            output.append(character == "\n" ? "\n" : " ")
        }
    }

    private mutating func blank(while condition: (Character) -> Bool) {
        while let character = rest.first, condition(character) { blank(1) }
    }
}
