import Time

/// A text in the format of Prometheus (version 0.0.4), metric by metric.
struct Exposition {
    private(set) var text = ""

    /// Adds a gauge; nil where nobody knows the value now.
    mutating func gauge(
        _ name: String, _ help: String, labels: [(name: String, value: String)] = [], _ value: Double?
    ) {
        guard let value else { return }
        begin(name, help, "gauge")
        sample(name, labels, value)
    }

    /// Adds a histogram of durations, in seconds.
    mutating func histogram(_ name: String, _ help: String, _ durations: DurationHistogram) {
        begin(name, help, "histogram")
        for (bound, count) in durations.cumulativeCounts {
            sample("\(name)_bucket", [("le", Self.number(bound / .seconds(1)))], Double(count))
        }
        let total = Double(durations.total)
        sample("\(name)_bucket", [("le", "+Inf")], total)
        sample("\(name)_sum", [], durations.sum / .seconds(1))
        sample("\(name)_count", [], total)
    }

    private mutating func begin(_ name: String, _ help: String, _ type: String) {
        text += "# HELP moot_\(name) \(help)\n# TYPE moot_\(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: Double) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += "moot_\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(Self.number(value))\n"
    }

    /// Whole numbers without a fraction, as people read them.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    /// The value of a label, in which three characters have another meaning.
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
