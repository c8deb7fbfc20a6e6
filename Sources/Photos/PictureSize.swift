/// Width and height in pixels; each is at least 1.
public struct PictureSize: Hashable, Sendable {
    /// Pixels from left to right.
    public let width: Int
    /// Pixels from top to bottom.
    public let height: Int

    /// The longest side that a JPEG can have.
    public static let maximumSide = 65_535

    /// A size, unless a side is below 1 or above ``maximumSide``.
    public init?(width: Int, height: Int) {
        guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    private init(unchecked width: Int, _ height: Int) {
        self.width = width
        self.height = height
    }

    /// How many pixels there are.
    public var area: Int { width * height }

    /// The longer side.
    public var longerSide: Int { max(width, height) }

    /// The size when the picture is turned by a quarter.
    public var turned: PictureSize { PictureSize(unchecked: height, width) }

    /// The largest size of the same shape whose sides are at most `side`; the same size where it fits already.
    public func fitting(within side: Int) -> PictureSize {
        precondition(side >= 1, "a picture has at least one pixel")
        guard longerSide > side else { return self }
        func reduced(_ length: Int) -> Int { max(1, (length * side + longerSide / 2) / longerSide) }
        return PictureSize(unchecked: reduced(width), reduced(height))
    }
}
