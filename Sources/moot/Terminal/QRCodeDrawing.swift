import LocalAPIModel
import QRCodes

/// A code that people pass on, as a QR code that fits the terminal.
enum QRCodeDrawing {
    /// The lines of the drawing; none where programs are answered.
    ///
    /// - Parameter command: what prints the text instead.
    static func lines(
        of code: String, onLightBackground isLight: Bool, insteadOf command: String, _ output: Output
    ) throws(Failure) -> [String] {
        guard !output.isJSON else { return [] }
        let hint = "Use a wider window, or print the text with: \(command)"
        guard let drawing = QRCode(code) else {
            throw Failure(.invalidOperation, "The code is too long for a QR code", hint: hint)
        }
        if let columns = Terminal.columns(.output), columns < drawing.width {
            throw Failure(
                .invalidOperation, "The QR code takes \(drawing.width) columns, and the terminal has \(columns)",
                hint: hint)
        }
        return drawing.lines(onLightBackground: isLight)
    }
}
