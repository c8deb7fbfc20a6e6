/// What somebody wants who types a command that is not about the messages of the conversation.
enum ChatWish: Hashable, Sendable {
    /// Another conversation, by its name or a part of it.
    case go(String)
    case list
    /// The commands and the keys.
    case help
    case search(String)
    case create(name: String, people: [String])
    case direct(String)
    case join(code: String)
    case add([String])
    case invite(String)
    case answer(accepting: Bool)
    /// Out of the group; nil as successor for the oldest member.
    case leave(successor: String?, archives: Bool)
    /// How long it is muted, as `moot mute` takes it; empty for good.
    case mute(String)
    case archive(Bool)
}
