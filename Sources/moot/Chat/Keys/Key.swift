/// What was done at the keyboard.
enum Key: Hashable, Sendable {
    /// Typed, one character or several that came at once.
    case text(String)
    /// Put in from a clipboard, as the terminal told it apart.
    case paste(String)
    case enter
    /// A line break within the text (Alt-Enter).
    case lineBreak
    case backspace
    case delete
    case left
    case right
    case wordLeft
    case wordRight
    case home
    case end
    case up
    case down
    /// The text that was typed before (Ctrl-P).
    case recallEarlier
    /// The text that was typed after (Ctrl-N).
    case recallLater
    case pageUp
    case pageDown
    case deleteWord
    case deleteToStart
    case deleteToEnd
    case tab
    case escape
    case redraw
    case interrupt
    case endOfInput
    /// The shell is wanted, and the chat later again (Ctrl-Z).
    case suspend
    /// The text is to be written in the user's editor (Ctrl-X Ctrl-E, as in bash).
    case openEditor
    /// A conversation of the list: the one before (Alt-Up).
    case conversationBefore
    /// The one after (Alt-Down).
    case conversationAfter
    /// The next one with something unread (Alt-A, as in weechat).
    case conversationUnread
    /// The one with a number, from 1 to 10 (Alt-1 to Alt-0).
    case conversation(Int)
}
