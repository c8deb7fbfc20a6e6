import LocalAPIModel

/// A conversation on a screen: everything that is shown and typed, and what follows from what happens.
///
/// It reads no terminal and asks no node. Whoever owns it tells it what happens, and carries out the effects in order.
struct ChatState: Sendable {
    /// What happens.
    enum Event: Sendable {
        case key(Key)
        case resized(ChatSize)
        /// The node's events are followed from now on.
        case connected
        /// The node does not answer, for this reason.
        case disconnected(String)
        case node(NodeEvent)
        case newest(MessagePage)
        case earlier(MessagePage, before: String)
        case conversation(ConversationDescription)
        /// A message could not be sent.
        case refused(text: String, ErrorDescription.Detail)
        /// Something was not loaded.
        case failed(ErrorDescription.Detail)
    }

    /// What is to be done about it.
    enum Effect: Hashable, Sendable {
        case loadNewest(limit: Int)
        case loadEarlier(before: String)
        case loadConversation
        case send(String, replyTo: String?)
        case markRead
        /// The others are to see that somebody sits here and writes.
        case type
        /// The screen may show something else than it was told to.
        case redraw
        case quit
    }

    /// Whether the node answers.
    private enum Link: Hashable {
        case connecting
        case connected
        case lost(reason: String)
    }

    /// The last line shown while older messages are read.
    private struct Anchor: Hashable {
        let message: String
        let line: Int
    }

    private(set) var conversation: ConversationDescription
    private let me: String
    private(set) var transcript = Transcript()
    private(set) var input = InputLine()
    private var size: ChatSize
    private var link = Link.connecting
    /// Nil while the newest messages are shown.
    private var anchor: Anchor?
    /// Said to whoever sits here, until the next Enter.
    private var panel: [String] = []
    private var loading: (newest: Bool, earlier: Bool) = (false, false)
    /// Something came while the newest were being loaded.
    private var isStale = false
    /// Who else writes, in words.
    private var typing: String?
    /// The newest message of somebody else that was shown.
    private var lastRead: String?
    /// The message to go to as soon as it is loaded.
    private var sought: String?

    /// How many messages are loaded at most to find the one that is sought.
    private static let maximumSought = 5_000

    /// Begins with nothing loaded.
    ///
    /// - Parameters:
    ///   - me: The id of the node's user.
    ///   - message: The id of a message to begin at; nil for the newest.
    init(_ conversation: ConversationDescription, me: String, size: ChatSize, seeking message: String? = nil) {
        sought = message
        self.conversation = conversation
        self.me = me
        self.size = size
    }

    /// Takes in what happened.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key):
            return handle(key)
        case .resized(let size):
            self.size = size
            return [.redraw]
        case .connected:
            if case .lost = link { panel = ["Connected again."] }
            link = .connected
            typing = nil
            // What was asked for and not answered is asked for again.
            lastRead = nil
            loading = (false, false)
            return [.loadConversation] + loadNewest()
        case .disconnected(let reason):
            link = .lost(reason: TerminalText.line(reason))
            typing = nil
            return []
        case .node(let event):
            return handle(event)
        case .newest(let page):
            return take(page)
        case .earlier(let page, let cursor):
            loading.earlier = false
            transcript.prepend(page, before: cursor)
            return seek()
        case .conversation(let conversation):
            self.conversation = conversation
            return []
        case .refused(let text, let detail):
            input.giveBack(text)
            panel = Self.words(for: detail)
            return []
        case .failed(let detail):
            loading = (false, false)
            panel = Self.words(for: detail)
            return []
        }
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        switch key {
        case .interrupt:
            return [.quit]
        case .endOfInput:
            return input.isEmpty ? [.quit] : []
        case .redraw:
            return [.redraw]
        case .pageUp:
            return scrollUp()
        case .pageDown:
            return scrollDown()
        case .enter:
            return handleEnter()
        case .text, .paste, .lineBreak, .backspace, .delete, .deleteWord, .deleteToStart, .deleteToEnd:
            _ = input.handle(key)
            return isWriting ? [.type] : []
        case .left, .right, .wordLeft, .wordRight, .home, .end, .up, .down:
            _ = input.handle(key)
            return []
        }
    }

    /// Whether what is typed will be a message, and no command.
    private var isWriting: Bool {
        switch ChatCommand(input.text) {
        case .say, .reply: true
        case .info, .help, .quit, .unknown, nil: false
        }
    }

    private mutating func handle(_ event: NodeEvent) -> [Effect] {
        switch event.type {
        case .typing:
            if event.conversation == conversation.id { typing = event.text.map(TerminalText.line) }
            return []
        case .resync:
            return [.loadConversation] + loadNewest()
        case .message, .messageChanged, .receipts:
            guard event.conversation == conversation.id else { return [] }
            return loadNewest()
        case .conversation:
            guard event.conversation == conversation.id else { return [] }
            // Also texts that could not be read before may be readable now.
            return [.loadConversation] + loadNewest()
        case .peer, .person:
            return [.loadConversation] + (transcript.hasGaps ? loadNewest() : [])
        case .warning, .overruled:
            if let text = event.text { panel = [TerminalText.line(text)] }
            return []
        case .file, .notification, .notificationCleared, .notificationOpened, .unknown:
            return []
        }
    }

    private mutating func handleEnter() -> [Effect] {
        panel = []
        guard let command = ChatCommand(input.take()) else { return [] }
        switch command {
        case .say(let text):
            anchor = nil
            return [.send(text, replyTo: nil)]
        case .reply(let number, let text):
            let others = transcript.messages.filter { $0.kind != .system && $0.sender != me }
            guard others.count >= number else {
                panel = ["There is no such message to answer."]
                input.giveBack("/reply \(number) \(text)")
                return []
            }
            anchor = nil
            return [.send(text, replyTo: others[others.count - number].id)]
        case .info:
            panel = info
            return []
        case .help:
            panel = ChatCommand.helpLines
            return []
        case .quit:
            return [.quit]
        case .unknown(let word):
            panel = ["There is no command \(word). /help lists those there are."]
            return []
        }
    }

    // MARK: - Messages

    private mutating func loadNewest() -> [Effect] {
        guard !loading.newest else {
            isStale = true
            return []
        }
        loading.newest = true
        isStale = false
        return [.loadNewest(limit: transcript.newestCount)]
    }

    private mutating func take(_ page: MessagePage) -> [Effect] {
        loading.newest = false
        transcript.merge(newest: page)
        if anchor == nil, sought == nil { transcript.trim() }
        return seek() + markRead() + (isStale ? loadNewest() : [])
    }

    /// Goes to the message that is sought, or loads more until it is there.
    private mutating func seek() -> [Effect] {
        guard let wanted = sought else { return [] }
        let layout = layout
        if let message = layout.messages.firstIndex(where: { $0.id == wanted }) {
            sought = nil
            // In the middle of the screen, where there is so much below it.
            let middle = layout.position(transcriptHeight / 2, below: ChatLayout.Position(message: message, line: 0))
            if let middle, middle != layout.end {
                anchor = Anchor(message: layout.messages[middle.message].id, line: middle.line)
            }
            return []
        }
        guard let earlier = transcript.earlier else {
            sought = nil
            panel = ["That message is not shown to you."]
            return []
        }
        guard transcript.messages.count < Self.maximumSought else {
            sought = nil
            panel = ["That message is far back; Page Up leads there."]
            return []
        }
        guard !loading.earlier else { return [] }
        loading.earlier = true
        return [.loadEarlier(before: earlier)]
    }

    /// What is shown at the end was read.
    private mutating func markRead() -> [Effect] {
        guard anchor == nil, sought == nil,
            let last = transcript.messages.last(where: { $0.sender != me && $0.kind != .system }), last.id != lastRead
        else { return [] }
        lastRead = last.id
        return [.markRead]
    }

    // MARK: - Scrolling

    private var layout: ChatLayout { ChatLayout(messages: transcript.messages, width: size.columns) }

    /// The last line shown; nil where there is no message.
    private func bottom(in layout: ChatLayout) -> ChatLayout.Position? {
        guard let anchor, let message = layout.messages.firstIndex(where: { $0.id == anchor.message }) else {
            return layout.end
        }
        return .init(message: message, line: min(anchor.line, layout.lines(of: message).count - 1))
    }

    /// One line stays in view, so that the eye finds its place.
    private var page: Int { max(1, transcriptHeight - 1) }

    private mutating func scrollUp() -> [Effect] {
        let layout = layout
        guard let bottom = bottom(in: layout), let end = layout.end else { return [] }
        let first = ChatLayout.Position(message: 0, line: 0)
        // The first line of all stays at the top.
        let lowest = layout.position(transcriptHeight - 1, below: first) ?? end
        var position = layout.position(page, above: bottom)
        if position.message < lowest.message || (position.message == lowest.message && position.line < lowest.line) {
            position = lowest
        }
        anchor = position == end ? nil : Anchor(message: layout.messages[position.message].id, line: position.line)
        let isAtTop = layout.lines(endingAt: position, count: transcriptHeight + page).count < transcriptHeight + page
        guard isAtTop, !loading.earlier, let earlier = transcript.earlier else { return [] }
        loading.earlier = true
        return [.loadEarlier(before: earlier)]
    }

    private mutating func scrollDown() -> [Effect] {
        let layout = layout
        guard let bottom = bottom(in: layout) else { return [] }
        if let position = layout.position(page, below: bottom), position != layout.end {
            anchor = Anchor(message: layout.messages[position.message].id, line: position.line)
            return []
        }
        anchor = nil
        return markRead()
    }

    // MARK: - The screen

    /// Lines of the screen that messages have: all but the title, what is said, and the line that is typed.
    private var transcriptHeight: Int { max(1, size.rows - 2 - said.count) }

    /// What the screen shows now.
    var frame: ChatFrame {
        let layout = layout
        let height = transcriptHeight
        let shown = bottom(in: layout).map { layout.lines(endingAt: $0, count: height) } ?? []
        let prompt = "> "
        let (typed, column) = input.window(width: max(1, size.columns - prompt.count))
        var lines = [title] + Array(repeating: StyledLine(), count: height - shown.count) + shown
        lines += said
        lines = lines.suffix(max(0, size.rows - 1)) + [StyledLine(prompt + typed)]
        return ChatFrame(lines: lines, cursorRow: lines.count - 1, cursorColumn: prompt.count + column)
    }

    private var title: StyledLine {
        let online = conversation.members.filter { $0.presence == .online || $0.user == me }.count
        let members = TerminalText.count(conversation.memberCount, "member")
        let text = " \(TerminalText.line(conversation.title))  \(members), \(online) online  /help"
        let line = text.shortened(toWidth: size.columns)
        return StyledLine(line + String(repeating: " ", count: max(0, size.columns - line.displayWidth)), .inverse)
    }

    /// What is said below the messages, the most important last.
    private var said: [StyledLine] {
        var lines = panel
        if let anchor, let place = transcript.messages.firstIndex(where: { $0.id == anchor.message }) {
            let below = transcript.messages.count - 1 - place
            lines.append("\(TerminalText.count(below, "newer message")) below (Page Down)")
        }
        lines += transcript.gaps.map(TerminalText.line)
        if let typing { lines.append(typing) }
        if loading.earlier { lines.append("Loading earlier messages…") }
        if case .lost(let reason) = link { lines.append("\(reason) Trying again…") }
        if case .connecting = link { lines.append("Connecting…") }
        let shown = lines.flatMap { line in
            StyledLine.wrap([.init(text: line, style: .faint)], width: size.columns, indentation: 2)
        }
        // The typed line, the title and a few messages stay in view.
        return shown.suffix(max(0, size.rows - 4))
    }

    private var info: [String] {
        var lines = [TerminalText.line(conversation.title)]
        if let description = conversation.description { lines.append(TerminalText.line(description)) }
        return lines
            + conversation.members.map { member in
                let you = member.user == me ? " (you)" : ""
                let blocked = member.blocked ? ", blocked" : ""
                let verified = member.verified ? ", verified" : ""
                return
                    "\(TerminalText.line(member.name))\(you): \(member.role), \(member.presence)\(verified)\(blocked)"
            }
    }

    private static func words(for detail: ErrorDescription.Detail) -> [String] {
        [detail.message, detail.hint].compactMap(\.self).map(TerminalText.line)
    }
}
