import Glibc

/// The name of a network interface as a user writes it.
enum InterfaceName {
    /// Whether Linux could call an interface so: it takes 15 bytes without spaces and slashes.
    static func isOne(_ text: String) -> Bool {
        (1..<Int(IFNAMSIZ)).contains(text.utf8.count) && ![".", ".."].contains(text)
            && !text.contains { $0 == "/" || $0 == ":" || $0.isWhitespace }
    }
}
