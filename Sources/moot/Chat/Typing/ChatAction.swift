/// What a command of the chat does, by the word for it.
enum ChatAction: String, CaseIterable, Sendable {
    case reply, edit, delete, react, pin, who
    case send, save
    case go, search, list
    case create, direct, join, add, invite, accept, decline, leave
    case mute, archive
    case info, help, quit

    /// What stands behind the word, and what it does; for `/help`.
    var help: (arguments: String, meaning: String) {
        switch self {
        case .reply: ("TEXT", "answer the message chosen, or the last of the others; /reply 3 TEXT the third last")
        case .edit: ("[TEXT]", "change the message chosen, or your last one")
        case .delete: ("", "delete the message chosen for everybody, after a question")
        case .react: ("EMOJI", "give the message chosen, or the last of the others, an emoji, or take yours back")
        case .pin: ("", "pin the message chosen, or unpin it")
        case .who: ("", "who received and read the message chosen, or your last one")
        case .send: ("FILE [TEXT]", "send a file; Tab completes its path")
        case .save: ("[FOLDER]", "save the files of the message chosen, or the last ones, here or in a folder")
        case .go: ("NAME", "another conversation; Tab completes. Alt-Up, Alt-Down, Alt-1 to Alt-0 too")
        case .search: ("WORDS", "find messages in all conversations, and go to one")
        case .list: ("", "the conversations, to choose one")
        case .create: ("NAME PERSON…", "make a group; names with spaces in \"quotes\"")
        case .direct: ("PERSON", "the conversation with one person")
        case .join: ("CODE", "join a group by a code")
        case .add: ("PERSON…", "add people to this group")
        case .invite: ("PERSON", "invite somebody to this group")
        case .accept: ("", "say that you want to be in this group")
        case .decline: ("", "say that you do not")
        case .leave: ("", "leave this group, after a question")
        case .mute: ("[DURATION|off]", "no notifications of this conversation, for 1h, 8h, 1d, 1w or for good")
        case .archive: ("[off]", "put this conversation away, or back")
        case .info: ("", "who is here")
        case .help: ("", "this")
        case .quit: ("", "end; also Ctrl-C, or Ctrl-D on an empty line")
        }
    }

    /// Other words for it.
    static let synonyms = ["exit": quit, "q": quit, "?": help, "buffer": go, "names": info]

    init?(word: Substring) {
        guard let action = ChatAction(rawValue: String(word)) ?? Self.synonyms[String(word)] else { return nil }
        self = action
    }

    /// The command and what it does, on one line.
    var helpLine: String {
        let line = "/\(rawValue) \(help.arguments)"
        return line + String(repeating: " ", count: max(1, 24 - line.count)) + help.meaning
    }

    /// What the keys do, on lines of their own.
    static let keyLines = [
        "//TEXT                  a text that begins with a slash",
        "Up on an empty line     choose a message: then r reply, e edit, d delete, + react, p pin, s save, w who read",
        "Alt-Up, Alt-Down        the conversation before or after; Alt-1 to Alt-0 by its number",
        "Alt-A                   the next conversation with something unread",
        "Tab                     completes names, commands and paths",
        "Ctrl-P, Ctrl-N          bring back what you typed; Up and Down too, while something is typed",
        "Alt-Enter               begins a new line; Ctrl-X Ctrl-E opens your editor",
        "Page Up, Page Down      scroll; Esc goes back, to the newest message in the end",
        "Ctrl-Z                  suspends, and `fg` goes on",
    ]
}
