/// A color that may shine through.
public struct Color: Hashable, Sendable {
    /// How much red.
    public var red: UInt8
    /// How much green.
    public var green: UInt8
    /// How much blue.
    public var blue: UInt8
    /// How much of it covers what is behind.
    public var alpha: UInt8

    /// Mixes a color.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Nothing but red.
    public static let red = Color(255, 0, 0)
    /// Nothing but green.
    public static let green = Color(0, 255, 0)
    /// Nothing but blue.
    public static let blue = Color(0, 0, 255)
    /// Nothing but light.
    public static let white = Color(255, 255, 255)

    /// Whether it looks the same: JPEG does not keep colors to the bit.
    public func isLike(_ other: Color) -> Bool {
        zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { abs(Int($0) - Int($1)) <= 12 }
    }
}
