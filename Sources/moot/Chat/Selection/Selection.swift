/// The message that somebody chose with the arrows, to do something with it.
struct Selection: Equatable, Sendable {
    /// What is asked before something is done.
    enum Question: Hashable, Sendable {
        /// Whether the message is to go, for everybody.
        case delete
        /// Which emoji it gets.
        case reaction
    }

    /// The id of the message.
    var message: String
    /// What is to be answered; nil while a key says what to do.
    var question: Question?
    /// Whether a command about the message is being typed, so that keys mean what is on them.
    var isTyping = false

    /// Emoji for keyboards that have none, by the digits from 1 on.
    static let usualReactions = ["👍", "❤️", "😂", "😮", "😢", "🎉", "👀", "✅", "❌"]

    /// What the keys do, for the line below the messages.
    var hint: String {
        switch question {
        case .delete: "Delete this message for everybody? y: yes, any other key: no"
        case .reaction:
            "React: " + zip(1..., Self.usualReactions).map { "\($0) \($1)" }.joined(separator: "  ")
                + "  or any emoji; Esc: none"
        case nil:
            isTyping
                ? "About the message chosen: /reply /edit /delete /react /pin /save /who; Esc: about none"
                : "r reply  e edit  d delete  + react  p pin  s save files  w who read  / command  Esc back"
        }
    }
}
