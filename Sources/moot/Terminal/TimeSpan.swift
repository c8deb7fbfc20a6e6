import ArgumentParser

/// How long something lasts, as a person writes it: "45s", "30m", "8h", "1d" or "1w".
struct TimeSpan: ExpressibleByArgument, Hashable {
    /// The longest: ten years.
    static let maximumSeconds = 3_650 * 86_400

    /// 1 to ``maximumSeconds``.
    let seconds: Int

    /// Reads a number and a unit; nil for anything else.
    init?(argument: String) {
        let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400]
        guard let unit = argument.last.flatMap({ units[String($0)] }), let number = Int(argument.dropLast()),
            number > 0, number <= Self.maximumSeconds / unit
        else { return nil }
        seconds = number * unit
    }
}
