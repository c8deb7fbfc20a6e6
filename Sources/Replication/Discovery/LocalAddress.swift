/// The numeric address and port of a host that may be on a network of this one: all that is dialed on the word of
/// others.
///
/// Anybody on the network can say anything. A name would cost a look-up, and an address elsewhere would let a stranger
/// choose to which hosts of the world this node connects. So both are for what the user typed, and here only these are
/// read: 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and fc00::/7, which are private; 169.254.0.0/16 and fe80::/10, which
/// are on the link; and those of this host itself.
package struct LocalAddress: Hashable, Sendable {
    /// How far an address leads.
    enum Reach: Hashable, Sendable {
        /// To this host.
        case host
        /// Reachable on the same link; an IPv6 address also needs an interface, which only its sender knows.
        case link(isScoped: Bool)
        /// To a host of a private network.
        case site
    }

    /// The host, as it is written before a port.
    let host: String
    /// How far it leads.
    let reach: Reach

    /// Reads `10.0.0.7:47470`, `[fd00::7]:47470` or `[fe80::1%2]:47470`; nil for anything else.
    init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let port = text[text.utf8.index(after: colon)...]
        guard Self.number(port.utf8, upTo: 65_535).map({ $0 > 0 }) == true else { return nil }
        host = String(text[..<colon])
        guard let reach = host.hasPrefix("[") ? Self.reach(v6: host) : Self.reach(v4: host) else { return nil }
        self.reach = reach
    }

    /// Whether a place is dialed on the word of a peer. What means this host, or needs an interface, means something
    /// else to others.
    ///
    /// - Parameter isOnThisHost: whether the peer runs on this host.
    package static func mayBeDialed(_ text: String, onWordOfThisHost isOnThisHost: Bool) -> Bool {
        switch LocalAddress(text)?.reach {
        case .site, .link(isScoped: false): true
        case .host: isOnThisHost
        case .link(isScoped: true), nil: false
        }
    }

    /// A place as the other side of a connection names it, to whom the interface means nothing.
    package static func withoutInterface(_ text: String) -> String {
        guard let percent = text.firstIndex(of: "%"), let end = text.firstIndex(of: "]"), percent < end else {
            return text
        }
        return String(text[..<percent] + text[end...])
    }

    /// The host of a place; all of the text if there is no port.
    package static func host(of text: String) -> String {
        text.utf8.lastIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) } ?? text
    }

    /// Whether a host, as it is written before a port, is this one.
    package static func isLoopback(_ host: String) -> Bool { host == "[::1]" || host.hasPrefix("127.") }

    /// The host that a limit counts. All loopback addresses count as one host, since every user of this host can send
    /// from each of them.
    package static func source(_ host: String) -> String { isLoopback(host) ? "127.0.0.1" : host }

    private static func reach(v4 host: String) -> Reach? {
        let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let bytes = parts.compactMap { number($0, upTo: 255) }
        guard parts.count == 4, bytes.count == 4 else { return nil }
        return switch (bytes[0], bytes[1]) {
        case (127, _): .host
        case (10, _), (172, 16...31), (192, 168): .site
        case (169, 254): .link(isScoped: false)
        default: nil
        }
    }

    private static func reach(v6 host: String) -> Reach? {
        guard host.hasSuffix("]") else { return nil }
        let parts = host.dropFirst().dropLast().utf8.split(
            separator: UInt8(ascii: "%"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let groups = groups(of: first) else { return nil }
        if parts.count == 2 {
            guard groups[0] & 0xFFC0 == 0xFE80, number(parts[1], upTo: Int(UInt32.max)) != nil else { return nil }
            return .link(isScoped: true)
        }
        if groups == [0, 0, 0, 0, 0, 0, 0, 1] { return .host }
        return groups[0] & 0xFE00 == 0xFC00 ? .site : nil
    }

    /// The eight groups of an IPv6 address in hexadecimal.
    static func groups(of text: Substring.UTF8View) -> [Int]? {
        var halves: [[Int]] = [[]]
        var rest = Array(text)[...]
        if rest.starts(with: [UInt8(ascii: ":"), UInt8(ascii: ":")]) {
            halves.append([])
            rest = rest.dropFirst(2)
        }
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != UInt8(ascii: ":") }
            guard (1...4).contains(digits.count),
                let group = Int(String(decoding: digits, as: UTF8.self), radix: 16), digits.first != UInt8(ascii: "+"),
                digits.first != UInt8(ascii: "-")
            else { return nil }
            halves[halves.count - 1].append(group)
            rest = rest.dropFirst(digits.count)
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: ":") {
                guard halves.count == 1 else { return nil }
                halves.append([])
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        let count = halves.reduce(0) { $0 + $1.count }
        guard halves.count == 2 ? count < 8 : count == 8 else { return nil }
        return halves.count == 1 ? halves[0] : halves[0] + Array(repeating: 0, count: 8 - count) + halves[1]
    }

    /// A decimal number without sign and leading zeros.
    static func number(_ digits: some Collection<UInt8>, upTo limit: Int) -> Int? {
        guard !digits.isEmpty, digits.count <= 10, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            return nil
        }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number <= limit ? number : nil
    }
}
