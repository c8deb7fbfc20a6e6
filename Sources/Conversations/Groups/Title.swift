/// What a conversation is called.
public enum Title {
    /// What a user's direct conversation with themselves is called, on their devices alone.
    public static let notes = "Notes to yourself"

    /// The name if there is one, else the other people: all of up to three, then two and how many more.
    public static func of(name: String?, others: [String]) -> String {
        if let name { return name }
        if others.isEmpty { return "Only you" }
        if others.count <= 3 { return others.joined(separator: ", ") }
        return others.prefix(2).joined(separator: ", ") + ", +\(others.count - 2) more"
    }
}
