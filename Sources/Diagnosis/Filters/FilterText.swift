/// What the languages of packet filters have in common.
enum FilterText {
    /// The parts of a set such as `{ 22, 47470 }`, or the one value.
    static func elements(_ text: String) -> [String] {
        text.split(whereSeparator: { "{},".contains($0) }).map { $0.trimmed }.filter { !$0.isEmpty }
    }

    /// The ports that a text names: one, a range with a dash or a colon, or a set of both; nil if something else stands there.
    static func ports(_ text: String) -> [ClosedRange<UInt16>]? {
        var ranges: [ClosedRange<UInt16>] = []
        for element in elements(text) {
            let ends = element.split(whereSeparator: { $0 == "-" || $0 == ":" }).map { UInt16($0) }
            guard let first = ends.first, let low = first, let last = ends.last, let high = last, low <= high,
                ends.count <= 2
            else { return nil }
            ranges.append(low...high)
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// The transports that a text names, of those that nodes use.
    static func transports(_ text: String) -> Set<Transport> {
        Set(
            elements(text).compactMap { name in
                switch name {
                case "tcp", "6": .tcp
                case "udp", "17": .udp
                default: nil
                }
            })
    }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text = text.dropFirst() }
        while let last = text.last, last.isWhitespace { text = text.dropLast() }
        return String(text)
    }
}
