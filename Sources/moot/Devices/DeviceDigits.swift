/// The digits that the users of two hosts compare.
enum DeviceDigits {
    /// In two groups, as one reads them aloud.
    static func spaced(_ digits: String) -> String { "\(digits.prefix(3)) \(digits.dropFirst(3))" }
}
