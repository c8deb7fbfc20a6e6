/// One line of the screen: pieces of text, each in a style.
struct StyledLine: Hashable, Sendable {
    /// How a piece stands out.
    enum Style: Hashable, Sendable {
        case plain
        case bold
        case faint
        /// Light on dark where the others are dark on light.
        case inverse
        /// What wants to be seen first.
        case mention
        /// The name of a person, in one of so many colors.
        case person(Int)
    }

    /// The colors of people: those of a terminal that can be read on light and on dark.
    static let personColors = [36, 32, 33, 35, 34, 31]

    /// A piece of text in one style.
    struct Piece: Hashable, Sendable {
        var text: String
        var style: Style
    }

    var pieces: [Piece]

    init(_ text: String = "", _ style: Style = .plain) {
        pieces = text.isEmpty ? [] : [Piece(text: text, style: style)]
    }

    /// The text without its styles.
    var text: String { pieces.map(\.text).joined() }

    /// The line for a terminal.
    ///
    /// - Parameter isStyled: Whether styles are welcome; without them the text alone has to do.
    func printed(isStyled: Bool) -> String {
        guard isStyled else { return text }
        return pieces.map { piece in
            switch piece.style {
            case .plain: piece.text
            case .bold: "\u{1B}[1m\(piece.text)\u{1B}[0m"
            case .faint: "\u{1B}[2m\(piece.text)\u{1B}[0m"
            case .inverse: "\u{1B}[7m\(piece.text)\u{1B}[0m"
            case .mention: "\u{1B}[1;7m\(piece.text)\u{1B}[0m"
            case .person(let number):
                "\u{1B}[1;\(Self.personColors[number % Self.personColors.count])m\(piece.text)\u{1B}[0m"
            }
        }.joined()
    }

    /// The line with another one behind it.
    func followed(by other: StyledLine) -> StyledLine {
        var joined = self
        joined.pieces += other.pieces
        return joined
    }

    /// The line with spaces behind it, so that it fills a width; cut where it is wider.
    func padded(to width: Int) -> StyledLine {
        let own = text.displayWidth
        guard own <= width else { return StyledLine(text.shortened(toWidth: width), pieces.first?.style ?? .plain) }
        var line = self
        line.append(String(repeating: " ", count: width - own), pieces.last?.style == .inverse ? .inverse : .plain)
        return line
    }

    mutating func append(_ text: String, _ style: Style = .plain) {
        guard !text.isEmpty else { return }
        if let last = pieces.last, last.style == style {
            pieces[pieces.count - 1].text += text
        } else {
            pieces.append(Piece(text: text, style: style))
        }
    }

    /// Breaks pieces of text into lines of a width: between words where that is possible, else within them.
    ///
    /// - Parameters:
    ///   - pieces: Without control characters, but for line breaks.
    ///   - indentation: Columns left free at the beginning of every line but the first.
    static func wrap(_ pieces: [Piece], width: Int, indentation: Int) -> [StyledLine] {
        // Where the indentation would leave no room for a wide character, there is none.
        let indentation = width >= indentation + 2 ? indentation : 0
        let margin = String(repeating: " ", count: indentation)
        var lines = [StyledLine()]
        var column = 0
        func breakLine() {
            lines.append(StyledLine(margin))
            column = indentation
        }
        for piece in pieces {
            for (number, paragraph) in piece.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            {
                if number > 0 { breakLine() }
                for word in words(of: paragraph) {
                    let wordWidth = word.reduce(0) { $0 + $1.displayWidth }
                    if column + wordWidth > width, column > indentation, wordWidth <= width - indentation {
                        // What separates words is not carried to the next line.
                        breakLine()
                        if word.first == " " { continue }
                    }
                    for character in word {
                        if column + character.displayWidth > width, column > indentation { breakLine() }
                        lines[lines.count - 1].append(String(character), piece.style)
                        column += character.displayWidth
                    }
                }
            }
        }
        return lines
    }

    /// Words and the spaces between them, in order.
    private static func words(of text: Substring) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        var place = start
        while place < text.endIndex {
            if text[place] == " " {
                if start < place { words.append(text[start..<place]) }
                words.append(text[place...place])
                start = text.index(after: place)
            }
            place = text.index(after: place)
        }
        if start < text.endIndex { words.append(text[start...]) }
        return words
    }
}
