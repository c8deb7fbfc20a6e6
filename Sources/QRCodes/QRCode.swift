import CQRencode
import Glibc

/// A text as a QR code (ISO/IEC 18004): squares that are dark or light.
public struct QRCode: Sendable {
    /// Modules that stay empty on each side, so that a camera finds the code.
    public static let quietZone = 4

    /// Modules of a side, without the quiet zone.
    public let size: Int
    private let isDark: [Bool]

    /// Makes the smallest code of a text with the lowest level of error correction: a screen has no dirt. Nil for a
    /// text that is too long for any.
    public init?(_ text: String) {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit of a module says whether it is dark; the others say what it is for.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Modules of a side, with the quiet zone.
    public var width: Int { size + 2 * Self.quietZone }

    /// Whether a module is dark; those around the code are not.
    public func isDark(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
    }
}
