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
        case later(MessagePage, after: String)
        /// A message that was sought, with what is around it.
        case around(MessagePage)
        case conversation(ConversationDescription)
        /// Nothing was typed for a moment, or nothing will be any more.
        case paused
        /// A line was begun elsewhere, to be typed on; a line that is being typed stays.
        case begun(String)
        /// The text was written in the user's editor.
        case written(String)
        /// The answer to something that was asked for, in lines.
        case told([String])
        /// The names in a folder that begin as a path does that is being typed.
        case paths([String], completing: String)
        /// The new text of a message was not taken.
        case unchanged(String, text: String, ErrorDescription.Detail)
        /// A message could not be sent.
        case refused(text: String, replyTo: String?, ErrorDescription.Detail)
        /// Something was not loaded.
        case failed(ErrorDescription.Detail)
    }

    /// What is to be done about it.
    enum Effect: Hashable, Sendable {
        case loadNewest(limit: Int)
        case loadEarlier(before: String)
        case loadLater(after: String)
        case loadAround(String)
        case loadConversation
        case send(String, replyTo: String?)
        /// A file is sent, with a text or without.
        case sendFile(path: String, text: String?, replyTo: String?)
        case change(MessageChange)
        /// Who received and read a message is to be told.
        case loadReceipts(of: String)
        /// Files are saved into a folder; nil for the one in which the program runs.
        case save([FileDescription], into: String?)
        /// The paths that begin like this are looked for.
        case findPaths(String)
        /// The text is written in the user's editor.
        case openEditor(String)
        /// Something that is not about the messages here.
        case wish(ChatWish)
        case suspend
        /// Everything up to a message was read.
        case markRead(upTo: String)
        /// What was typed and not sent is kept, in the place of what was kept before.
        case keepDraft(String)
        /// The others are to see that somebody sits here and writes.
        case type
        /// The screen may show something else than it was told to.
        case redraw
        case quit
    }

    /// Whether the node answers.
    enum Link: Hashable, Sendable {
        case connecting
        case connected
        case lost(reason: String)
    }

    /// The last line shown while older messages are read.
    struct Anchor: Hashable {
        let message: String
        let line: Int
    }

    /// How far the user has read.
    struct ReadMark: Hashable {
        /// The newest message of somebody else that was shown.
        let message: String
        /// How many messages of others were loaded up to it: one more of them came late and stands before it.
        let count: Int
    }

    /// What was asked for and has not come.
    struct Loading: Hashable {
        var newest = false
        var earlier = false
        var later = false
        var around = false
    }

    var conversation: ConversationDescription
    let me: String
    var transcript = Transcript()
    var composer: Composer
    private(set) var size: ChatSize
    private(set) var link = Link.connecting
    /// Nil while the newest messages are shown.
    var anchor: Anchor?
    /// Said to whoever sits here, until the next Enter.
    var panel: [String] = []
    var loading = Loading()
    /// How many messages are asked for again, because something came while the newest were being loaded.
    var stale = 0
    /// Who else writes, in words.
    private(set) var typing: String?
    /// What the node was told; nil while it was told nothing.
    var lastRead: ReadMark?
    /// The message to go to as soon as it is loaded.
    var sought: String?
    /// The message above which the new ones begin.
    var firstUnread: String?

    /// The message that was chosen; nil while what is typed is a text.
    var selection: Selection?

    /// Begins with nothing loaded.
    ///
    /// - Parameters:
    ///   - me: The id of the node's user.
    ///   - unread: The id of the first message that they have not read; nil where they have read all.
    ///   - message: The id of a message to begin at; nil for the first unread one, or the newest.
    init(
        _ conversation: ConversationDescription, me: String, size: ChatSize, firstUnread unread: String? = nil,
        seeking message: String? = nil
    ) {
        firstUnread = unread
        sought = message ?? unread
        composer = Composer(draft: conversation.draft)
        self.conversation = conversation
        self.me = me
        self.size = size
    }

    /// Whether a message can be written: whoever is out of the group reads what they have.
    var isWritable: Bool { conversation.me.isMember }

    /// Whether something is being written that the node does not keep: a correction, an answer, or anything while it is
    /// away.
    var hasMoreThanDraft: Bool {
        if case .lost = link { return !composer.input.isEmpty }
        return composer.purpose != nil
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
            loading = Loading()
            return [.loadConversation] + loadAgain()
        case .disconnected(let reason):
            link = .lost(reason: TerminalText.line(reason))
            typing = nil
            return []
        case .node(let event):
            return handle(event)
        case .newest(let page):
            return take(page)
        case .earlier(let page, let cursor):
            return take(earlier: page, before: cursor)
        case .later(let page, let cursor):
            return take(later: page, after: cursor)
        case .around(let page):
            return take(around: page)
        case .conversation(let conversation):
            return take(conversation)
        case .paused:
            if case .lost = link { return [] }
            return keepDraft()
        case .begun(let line):
            if composer.input.isEmpty { composer.replace(with: line, in: transcript, by: me) }
            return []
        case .written(let text):
            composer.replace(with: text, in: transcript, by: me)
            return []
        case .told(let lines):
            panel = lines.map(TerminalText.line)
            return []
        case .paths(let paths, let beginning):
            return complete(path: beginning, among: paths)
        case .unchanged(let message, let text, let detail):
            panel = Self.words(for: detail)
            guard let message = transcript.messages.last(where: { $0.id == message }) else { return [] }
            composer.begin(.correction(.init(message), before: composer.draftText), text: text)
            return []
        case .refused(let text, let answered, let detail):
            composer.giveBack(text, asAnswerTo: answered, in: transcript, by: me)
            panel = Self.words(for: detail)
            return []
        case .failed(let detail):
            return fail(detail)
        }
    }

    private mutating func take(_ conversation: ConversationDescription) -> [Effect] {
        defer { self.conversation = conversation }
        // What any message counts may be another now.
        return self.conversation.decidesLike(conversation) ? [] : loadNewest()
    }

    private mutating func fail(_ detail: ErrorDescription.Detail) -> [Effect] {
        // What is not there to be gone to is not sought forever.
        if loading.around { sought = nil }
        loading = Loading()
        panel = Self.words(for: detail)
        return markRead()
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        if let selection, !selection.isTyping, key != .interrupt, key != .redraw, key != .suspend {
            return handle(key, about: selection)
        }
        switch key {
        case .interrupt:
            return quit()
        case .endOfInput:
            return composer.input.isEmpty || !isWritable ? quit() : []
        case .redraw:
            return [.redraw]
        case .suspend:
            return keepDraft() + [.suspend]
        case .escape:
            return goBack()
        case .pageUp:
            return scrollUp()
        case .pageDown:
            return scrollDown()
        case .enter:
            return handleEnter()
        case .up where composer.input.isEmpty && composer.purpose == nil:
            return beginSelection()
        case .text, .paste, .lineBreak, .backspace, .delete, .deleteWord, .deleteToStart, .deleteToEnd:
            guard isWritable || isCommand(after: key) else { return [] }
            composer.handle(key, in: transcript, by: me, selected: selected)
            if composer.input.isEmpty { selection = nil }
            return isWriting && isWritable ? [.type] : []
        case .left, .right, .wordLeft, .wordRight, .home, .end, .up, .down, .recallEarlier, .recallLater:
            composer.handle(key, in: transcript, by: me, selected: selected)
            return []
        case .tab:
            return complete()
        case .openEditor:
            return isWritable ? [.openEditor(composer.input.text)] : []
        case .conversationBefore, .conversationAfter, .conversationUnread, .conversation:
            // Which those are is known to whoever has the list.
            return []
        }
    }

    /// Whether a command is typed, which also those may who cannot write.
    private func isCommand(after key: Key) -> Bool {
        if case .text(let text) = key, composer.input.isEmpty { return text.hasPrefix("/") }
        return composer.input.text.hasPrefix("/")
    }

    /// Leaves what was begun last.
    private mutating func goBack() -> [Effect] {
        if selection != nil {
            selection = nil
        } else if !panel.isEmpty {
            panel = []
        } else if composer.purpose != nil {
            composer.abandonPurpose()
        } else {
            return showNewest()
        }
        return []
    }

    /// Whether what is typed will be a message, and no command.
    private var isWriting: Bool {
        switch ChatCommand(composer.input.text) {
        case .say, .reply: true
        case .replyWithoutText, .act, .unknown, nil: false
        }
    }

    /// Whether somebody else wrote a message.
    func isOfSomebodyElse(_ message: MessageDescription) -> Bool { message.kind != .system && message.sender != me }

    private mutating func keepDraft() -> [Effect] { composer.changedDraft().map { [.keepDraft($0)] } ?? [] }

    private mutating func handle(_ event: NodeEvent) -> [Effect] {
        switch event.type {
        case .typing:
            if event.conversation == conversation.id { typing = event.text.map(TerminalText.line) }
            return []
        case .resync:
            return [.loadConversation] + loadAgain()
        case .message:
            guard event.conversation == conversation.id else { return [] }
            return event.message.map { take($0) } ?? loadNewest()
        case .messageChanged:
            guard let message = event.message, transcript.messages.contains(where: { $0.id == message.id }) else {
                return []
            }
            return take(message)
        case .receipts:
            // What the user reads changes nothing of what is shown.
            let isOwn = event.people?.allSatisfy { $0.user == me } ?? false
            return event.conversation == conversation.id && !isOwn ? loadUnsettled() : []
        case .conversation:
            guard event.conversation == conversation.id else { return [] }
            // Also texts that could not be read before may be readable now. Of a flood nothing else is told.
            return [.loadConversation] + (event.folded == true ? loadNewest() : loadUnsettled())
        case .peer, .person:
            return [.loadConversation] + (transcript.hasGaps ? loadNewest() : [])
        case .warning, .overruled:
            if let text = event.text { panel = [TerminalText.line(text)] }
            return []
        case .file:
            guard let file = event.file else { return [] }
            transcript.update(file)
            // A page that is under way may be older. There is a part more every moment, and of that the next event
            // tells.
            if loading.newest, file.state != .fetching { stale = max(stale, transcript.unsettledCount(for: me)) }
            return []
        case .notification, .notificationCleared, .notificationOpened, .heartbeat, .unknown:
            return []
        }
    }

    private mutating func handleEnter() -> [Effect] {
        panel = []
        guard let command = ChatCommand(composer.input.text) else {
            composer.take()
            return []
        }
        switch command {
        case .say(let text):
            guard isWritable else { return [] }
            switch composer.purpose {
            case .answer(let target):
                return send(text, replyTo: target.id)
            case .correction(let target, _):
                composer.take()
                return [.change(.edit(target.id, text: text))]
            case nil:
                return send(text, replyTo: nil)
            }
        case .reply(_, let text):
            guard isWritable else { return [] }
            guard let target = composer.target else {
                panel = ["There is no such message to answer."]
                return []
            }
            return send(text, replyTo: target.id)
        case .replyWithoutText:
            panel = ["Say what you answer: /reply TEXT, or /reply 3 TEXT for the third last message."]
            return []
        case .act(let action, let argument):
            let chosen = selected
            selection = nil
            composer.takeCommand()
            return act(action, argument, on: chosen)
        case .unknown(let word):
            // What was meant as a text is not to be typed again.
            panel = [
                "There is no command \(word). /help lists those there are; a text begins with two slashes: /\(word)"
            ]
            return []
        }
    }

    private mutating func send(_ text: String, replyTo answered: String?) -> [Effect] {
        composer.takeToSend()
        selection = nil
        firstUnread = nil
        return [.send(text, replyTo: answered)] + showNewest()
    }

    mutating func quit() -> [Effect] { keepDraft() + [.quit] }
}

extension ConversationDescription {
    /// Whether the same people may do the same in it.
    fileprivate func decidesLike(_ other: ConversationDescription) -> Bool {
        func people(_ conversation: ConversationDescription) -> [String: [String]] {
            Dictionary(
                conversation.members.map { ($0.user, [$0.role.rawValue, "\($0.blocked)"]) }, uniquingKeysWith: { $1 })
        }
        return me.isMember == other.me.isMember && actingAdmin == other.actingAdmin && people(self) == people(other)
    }
}
