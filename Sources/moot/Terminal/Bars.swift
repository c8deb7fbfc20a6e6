/// Bars of block characters, an eighth of a character fine.
///
/// Whatever is more than nothing can be seen, and nothing is wider than the room there is.
enum Bars {
    private static let lying: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let standing: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"]
    /// Columns of a terminal that one standing bar has at most, with the gap to the next.
    private static let widestBar = 8

    /// A lying bar, as long as its share of the greatest value.
    static func lying(_ value: Int, of greatest: Int, width: Int) -> String {
        let eighths = eighths(value, of: greatest, in: width)
        let end = eighths % 8 == 0 ? "" : String(lying[eighths % 8 - 1])
        return String(repeating: "█", count: eighths / 8) + end
    }

    /// Columns of a terminal that each standing bar has, with the gap to the next; at least 1.
    static func pitch(of count: Int, width: Int) -> Int {
        min(max(1, width / max(1, count)), widestBar)
    }

    /// RosterPosition bars, as high as their shares of the greatest value: lines from above.
    ///
    /// - Parameter width: columns there are, at least as many as values.
    static func standing(_ values: [Int], height: Int, width: Int) -> [String] {
        let pitch = pitch(of: values.count, width: width)
        let greatest = values.max() ?? 0
        let heights = values.map { eighths($0, of: greatest, in: height) }
        return (0..<height).map { line in
            let floor = (height - 1 - line) * 8
            let cells = heights.map { eighths in
                let part: Character =
                    eighths >= floor + 8 ? "█" : eighths > floor ? standing[eighths - floor - 1] : " "
                return String(repeating: part, count: max(1, pitch - 1)) + (pitch > 1 ? " " : "")
            }
            return trimmed(cells.joined())
        }
    }

    /// As many values as there is room for, each joined of the same number of neighbors; the last may be of fewer.
    static func joining(_ values: [Int], width: Int, _ join: ([Int]) -> Int) -> [Int] {
        let size = (values.count + max(1, width) - 1) / max(1, width)
        guard size > 1 else { return values }
        return stride(from: 0, to: values.count, by: size).map {
            join(Array(values[$0..<min($0 + size, values.count)]))
        }
    }

    /// The line without what is blank at its end.
    static func trimmed(_ line: String) -> String {
        String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func eighths(_ value: Int, of greatest: Int, in room: Int) -> Int {
        guard value > 0, greatest > 0, room > 0 else { return 0 }
        return max(1, Int(Double(min(value, greatest)) / Double(greatest) * Double(room * 8)))
    }
}
