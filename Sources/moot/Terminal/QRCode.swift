import CQRencode
import Glibc

/// A text as a QR code (ISO/IEC 18004), drawn with characters only.
struct QRCode {
    /// Modules that stay empty on each side, so that a camera finds the code.
    static let quietZone = 4

    /// Modules of a side, without the quiet zone.
    let size: Int
    private let isDark: [Bool]

    /// Makes the smallest code of a text with the lowest level of error correction: a screen has no dirt. Nil for a text that is
    /// too long for any.
    init?(_ text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of a module says whether it is dark; the others say what it is for.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Columns that the drawing takes.
    var width: Int { size + 2 * Self.quietZone }

    /// Whether a module is dark; those around the code are not.
    func isDark(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
    }

    /// The drawing, two rows of modules a line.
    ///
    /// Characters are light where the terminal's background is dark, so they paint the light modules; with `onLightBackground` they paint
    /// the dark ones. The quiet zone is painted like every other light module, so the code is whole on either background.
    func lines(onLightBackground: Bool) -> [String] {
        let first = -Self.quietZone
        let end = size + Self.quietZone
        return stride(from: first, to: end, by: 2).map { row in
            var line = ""
            for column in first..<end {
                let isPainted = { (row: Int) in
                    row < end && isDark(row: row, column: column) == onLightBackground
                }
                switch (isPainted(row), isPainted(row + 1)) {
                case (true, true): line.append("█")
                case (true, false): line.append("▀")
                case (false, true): line.append("▄")
                case (false, false): line.append(" ")
                }
            }
            return line
        }
    }
}
