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
    case pageUp
    case pageDown
    case deleteWord
    case deleteToStart
    case deleteToEnd
    case redraw
    case interrupt
    case endOfInput
}
