/// Rows in columns as wide as they need to be. Where a program reads them, no column is cut but the last, which may be
/// a text.
struct Table {
    /// The widest a column other than the last becomes on a terminal.
    static let maximumColumnWidth = 32
    /// The widest the last column becomes.
    static let maximumLastColumnWidth = 80

    private let titles: [String]
    private var rows: [[String]] = []

    /// Begins a table.
    init(_ titles: String...) {
        self.titles = titles
    }

    /// Adds a row; cells are made harmless for a terminal.
    mutating func add(_ cells: String...) {
        precondition(cells.count == titles.count, "a row has a cell for every column")
        rows.append(cells.map(TerminalText.line))
    }

    /// The lines, the titles first; none for a table without rows.
    func lines(_ output: Output, isCut: Bool = Terminal.isTerminal(.output)) -> [String] {
        guard !rows.isEmpty else { return [] }
        let rows = rows.map { row in
            row.enumerated().map { column, cell in
                if column == titles.count - 1 { return cell.shortened(toWidth: Self.maximumLastColumnWidth) }
                return isCut ? cell.shortened(toWidth: Self.maximumColumnWidth) : cell
            }
        }
        let widths = titles.indices.map { column in
            ([titles] + rows).map { $0[column].displayWidth }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            var line = ""
            for (column, cell) in cells.enumerated() {
                line += cell
                guard column < cells.count - 1 else { break }
                line += String(repeating: " ", count: widths[column] - cell.displayWidth + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        return [output.bold(line(titles))] + rows.map(line)
    }
}
