/// A grant as `under` names it: `operation#slot`.
struct GrantName {
    let operation: Name
    let slot: UInt64

    /// Reads the name; nil if it names no grant. An operation's id may hold the sign too, so the last one counts.
    init?(_ text: String) {
        let bytes = text.utf8
        guard let sign = bytes.lastIndex(of: UInt8(ascii: "#")) else { return nil }
        let digits = bytes[bytes.index(after: sign)...]
        guard digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), let slot = UInt64(Substring(digits))
        else { return nil }
        self.slot = slot
        operation = Name(String(Substring(bytes[..<sign])))
    }
}
