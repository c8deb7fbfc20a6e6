/// So many bytes, as a person writes it: "500MiB", "10 GiB" or "2TB".
struct ByteCount: Hashable {
    let bytes: Int

    /// Reads a whole number and a unit; nil for anything else, for nothing, and for more than a number can hold.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        let unit = argument.dropFirst(digits.count).drop { $0 == " " }
        guard let number = Int(digits), number > 0, let size = Self.units[unit.lowercased()] else { return nil }
        let (bytes, overflows) = number.multipliedReportingOverflow(by: size)
        guard !overflows else { return nil }
        self.bytes = bytes
    }

    private static let units = [
        "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
    ]
}
