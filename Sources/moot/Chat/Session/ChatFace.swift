/// How a chat is shown on the terminal: as a screen that is drawn, or as lines below each other.
struct ChatFace {
    private let isStyled = Terminal.wantsStyle(.output)
    private var plain: PlainView?
    /// What the screen shows; nil where that is not known.
    private var shown: ChatFrame?

    init(isPlain: Bool) {
        plain = isPlain ? PlainView(output: Output(isJSON: false, isQuiet: false)) : nil
    }

    /// The screen may show something else than it was told to.
    mutating func forget() { shown = nil }

    /// A line was typed below those that were printed.
    mutating func noteLine() { plain?.forgetPanel() }

    /// Shows what has changed.
    mutating func show(_ client: ChatClient) {
        if let lines = plain?.lines(for: client) {
            for line in lines { ChatTerminal.write(line + "\n") }
            return
        }
        let frame = client.frame
        guard frame != shown else { return }
        ChatTerminal.write(frame.update(from: shown, isStyled: isStyled))
        shown = frame
    }
}
