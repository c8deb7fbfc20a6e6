/// How a place is written that a peer names and that only people read: `host:port`, with a literal address or the name
/// of a host.
///
/// Nothing else gets past the edge. A place stands in sentences and near commands that people copy, so neither a line
/// break nor a character of a shell may pass for one.
enum PlaceText {
    private static let colon = UInt8(ascii: ":")

    /// Whether a text is `10.0.0.7:47470`, `[fe80::1%eth0]:47470` or `laptop.example:47470`.
    ///
    /// Names begin with a letter, a digit or an underscore, so that none passes for an option.
    static func isWellFormed(_ text: String) -> Bool {
        guard let colon = text.utf8.lastIndex(of: colon) else { return false }
        let (host, port) = (text.utf8[..<colon], text.utf8[text.utf8.index(after: colon)...])
        guard LocalAddress.number(port, upTo: 65_535) != nil else { return false }
        return host.first == UInt8(ascii: "[") ? isBracketed(host) : isName(host)
    }

    /// An IPv6 address in brackets. An interface may follow it, as a number or by its name.
    private static func isBracketed(_ host: Substring.UTF8View) -> Bool {
        guard host.last == UInt8(ascii: "]") else { return false }
        let parts = host.dropFirst().dropLast().split(
            separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first, LocalAddress.groups(of: withoutIPv4(address)) != nil else { return false }
        return parts.count == 1 || isName(parts[1])
    }

    /// An IPv6 address with two groups where it ends with an IPv4 address, as some systems write `::10.0.0.7`.
    private static func withoutIPv4(_ address: Substring.UTF8View) -> Substring.UTF8View {
        guard let last = address.lastIndex(of: colon) else { return address }
        let bytes = address[address.index(after: last)...].split(
            separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard bytes.count == 4, bytes.allSatisfy({ LocalAddress.number($0, upTo: 255) != nil }) else { return address }
        return (Substring(address[...last]) + "0:0").utf8
    }

    /// A name, or an IPv4 address, which has the characters of one.
    private static func isName(_ host: Substring.UTF8View) -> Bool {
        guard let first = host.first, isWord(first) else { return false }
        return host.allSatisfy { isWord($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
