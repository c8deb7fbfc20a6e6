/// How the pixels of a file are to be turned before they are shown, numbered as by Exif (tag 0x0112).
public enum Orientation: UInt16, Hashable, Sendable, CaseIterable {
    /// As they are.
    case upright = 1
    /// The left is right.
    case mirrored
    /// Turned by a half.
    case upsideDown
    /// The top is at the bottom.
    case flipped
    /// Rows are columns.
    case transposed
    /// To be turned by a quarter, clockwise.
    case turnedLeft
    /// Rows are columns, and both are counted from the end.
    case transversed
    /// To be turned by a quarter, anticlockwise.
    case turnedRight

    /// Whether rows become columns.
    public var swapsSides: Bool {
        switch self {
        case .upright, .mirrored, .upsideDown, .flipped: false
        case .transposed, .turnedLeft, .transversed, .turnedRight: true
        }
    }

    /// The way through the pixels of a file that meets them as they are shown, row by row.
    ///
    /// - Parameter size: the size in the file.
    public func path(through size: PictureSize) -> (start: Int, alongRow: Int, alongColumn: Int) {
        let width = size.width
        let (rightmost, lowest) = (width - 1, (size.height - 1) * width)
        return switch self {
        case .upright: (0, 1, width)
        case .mirrored: (rightmost, -1, width)
        case .upsideDown: (lowest + rightmost, -1, -width)
        case .flipped: (lowest, 1, -width)
        case .transposed: (0, width, 1)
        case .turnedLeft: (lowest, -width, 1)
        case .transversed: (lowest + rightmost, -width, -1)
        case .turnedRight: (rightmost, width, -1)
        }
    }
}
