/// How far a file is: a bar on a terminal, JSON lines for programs, nothing for those who asked for quiet.
struct ProgressBar {
    private static let width = 24

    private let output: Output
    private let name: String
    private let total: Int
    private let isErased: Bool
    private var shown = -1

    /// Begins with nothing done.
    ///
    /// - Parameter isErased: Whether a terminal shows nothing of it any more once all is done.
    init(_ name: String, total: Int, on output: Output, isErasedAtEnd isErased: Bool = false) {
        self.name = TerminalText.line(name).shortened(toWidth: 32)
        (self.total, self.output, self.isErased) = (total, output, isErased)
    }

    /// A line of JSON for programs.
    private struct Step: Encodable {
        let progress: String
        let bytes: Int
        let size: Int
    }

    /// Shows that so many bytes are done, once for each hundredth.
    mutating func show(_ bytes: Int) {
        let hundredth = total == 0 ? 100 : bytes * 100 / total
        guard hundredth != shown else { return }
        shown = hundredth
        if output.isJSON {
            output.progress(Step(progress: name, bytes: bytes, size: total))
        } else if hundredth == 100, isErased {
            output.eraseProgress()
        } else {
            let full = hundredth * Self.width / 100
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
            output.progress("\(name) \(bar) \(hundredth) %", isLast: hundredth == 100)
        }
    }
}
