/// What somebody wants changed of a message.
enum MessageChange: Hashable, Sendable {
    case edit(String, text: String)
    case delete(String)
    case react(String, emoji: String)
    /// An emoji of one's own goes.
    case withdraw(String, emoji: String)
    case pin(String)
    case unpin(String)
}
