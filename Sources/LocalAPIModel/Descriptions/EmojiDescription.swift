/// An emoji, and what Unicode calls it.
public struct EmojiDescription: Hashable, Sendable, Codable {
    /// The emoji.
    public var emoji: String
    /// Its name in lower case: "grinning face".
    public var name: String

    package init(emoji: String, name: String) {
        self.emoji = emoji
        self.name = name
    }
}
