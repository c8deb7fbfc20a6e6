/// What a conversation is called.
public enum Title {
    /// The name if there is one, else the other people: all of up to three, then two and how many more.
    public static func of(name: String?, others: [String]) -> String {
        if let name { return name }
        if others.isEmpty { return OwnWord.onlyYou.rawValue }
        if others.count <= 3 { return others.joined(separator: ", ") }
        return others.prefix(2).joined(separator: ", ") + ", +\(others.count - 2) more"
    }
}
