import QRCodes

/// A QR code drawn with characters only.
extension QRCode {
    /// The drawing, two rows of modules a line.
    ///
    /// Characters are light where the terminal's background is dark, so they paint the light modules; with
    /// `onLightBackground` they paint the dark ones. The quiet zone is painted like every other light module, so the
    /// code is whole on either background.
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
