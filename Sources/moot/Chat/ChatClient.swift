import Conversations
import LocalAPIModel

/// Everything on a screen on which somebody chats: the list of their conversations, the one that is open, and what they
/// choose from.
///
/// As ``ChatState`` it reads no terminal and asks no node.
struct ChatClient: Sendable {
    /// What happens.
    enum Event: Sendable {
        case key(Key)
        case resized(ChatSize)
        case connected
        case disconnected(String)
        case node(NodeEvent)
        /// The first of the conversations, while the others are on their way.
        case beginningOfList([ConversationDescription])
        /// The conversations, as they are now.
        case list([ConversationDescription])
        /// One of them.
        case entry(ConversationDescription)
        /// One of them could not be looked at.
        case missed(String)
        /// A conversation that was asked for is here.
        ///
        /// - Parameter unread: the id of the first message that was not read.
        case opened(ConversationDescription, unread: String?, at: ChatPlace)
        /// What a search found.
        case found(SearchPage, words: String)
        /// Something for a conversation, which may not be shown any more.
        case conversation(String, ChatState.Event)
        /// The text was written in the user's editor.
        case written(String)
        /// Something that is said wherever the user is.
        case told([String])
        /// Nothing was typed for a moment, or nothing will be any more.
        case paused
        case failed(ErrorDescription.Detail)
    }

    /// What is to be done about it.
    enum Effect: Hashable, Sendable {
        case loadList
        case loadEntry(String)
        /// A conversation is to be opened.
        case open(ChatPlace)
        /// From now on this one is shown, and needs no notifications; nil where none is.
        case show(String?)
        /// What a conversation asks for.
        case conversation(String, ChatState.Effect)
        /// What is wished in a conversation; nil where it is none.
        case fulfill(ChatWish, in: String?)
        /// The terminal makes its sound.
        case ring
        case redraw
        case suspend
        case openEditor(String)
        case quit
    }

    let me: String
    private(set) var size: ChatSize
    private(set) var list = ConversationList()
    /// The conversation that is open; nil before one was chosen.
    private(set) var open: ChatState?
    /// What is chosen from, with the rows that it had at the last key.
    private var choosing: Picker?
    /// Whether the rows are the conversations: those change, and are made when they are looked at, not with every
    /// message.
    private var picksConversations = false
    /// Up to where the open conversation would have been read if nothing had covered it.
    private var unseen: String?
    private var link = ChatState.Link.connecting
    /// The conversations that are being loaded, and whether they changed meanwhile.
    private var loading: [String: Bool] = [:]
    /// The place that was asked for last; what comes of an earlier wish is not shown.
    private var wanted: ChatPlace?
    /// What was typed since then: it is for that place, and not for the one that is still shown.
    private var held: [Key] = []
    /// What was begun in conversations and is no draft: a correction, an answer, or what a node that is away could not
    /// keep.
    private var begun: [String: Composer] = [:]
    /// The conversation whose text is in the user's editor.
    private var editing: String?

    /// Begins with the list to choose from; whoever wants a conversation opens it before anything is shown.
    init(me: String, size: ChatSize) {
        self.me = me
        self.size = size
        showList()
    }

    /// Whether the node's events are followed.
    var isConnected: Bool { link == .connected }

    /// Takes in what happened.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .key(let key):
            return handle(key)
        case .resized(let size):
            self.size = size
            return tell(.resized(stateSize)) + [.redraw]
        case .connected:
            link = .connected
            loading = [:]
            // What is looked at comes first.
            return (wanted.map { [.open($0)] } ?? []) + tell(.connected) + [.loadList]
        case .disconnected(let reason):
            link = .lost(reason: TerminalText.line(reason))
            return tell(.disconnected(reason))
        case .node(let event):
            return handle(event)
        case .beginningOfList(let conversations):
            if !list.isKnown { list.take(conversations) }
            return []
        case .list(let conversations):
            list.take(conversations)
            return []
        case .entry(let conversation):
            return take(conversation)
        case .missed(let id):
            loading[id] = nil
            return []
        case .opened(let conversation, let unread, let place):
            return show(conversation, unread: unread, at: place)
        case .found(let page, let words):
            show(page, words: words)
            return []
        case .conversation(let id, let event):
            var effects: [Effect] = []
            if case .conversation(let conversation) = event { effects = take(conversation) }
            return effects + (open?.conversation.id == id ? tell(event) : [])
        case .written(let text):
            guard let id = editing, id != open?.conversation.id else { return tell(.written(text)) }
            return [.conversation(id, .keepDraft(text))]
        case .told(let lines):
            say(lines)
            return []
        case .paused:
            return tell(.paused)
        case .failed(let detail):
            let effects = giveBackHeld()
            say(ChatState.words(for: detail))
            return effects
        }
    }

    /// Puts what was typed for a place that is not there where the user looks; nothing of it is sent.
    private mutating func giveBackHeld() -> [Effect] {
        wanted = nil
        defer { held = [] }
        return held.filter { $0 != .enter }.flatMap { handle($0) }
    }

    /// What is chosen from; it covers the conversation.
    var picker: Picker? {
        guard picksConversations else { return choosing }
        var picker = choosing
        picker?.replace(with: rows)
        picker?.nothing =
            list.isKnown
            ? "There are no conversations yet: /create NAME PERSON… makes one, /direct PERSON another." : "Loading…"
        return picker
    }

    // MARK: - Conversations

    /// How much room the messages have.
    private var stateSize: ChatSize {
        ChatSize(rows: size.rows, columns: size.columns - (hasSide ? ConversationList.sideWidth : 0))
    }

    private var hasSide: Bool { size.columns >= ConversationList.minimumColumns }

    /// Tells the open conversation, and passes on what it asks for.
    private mutating func tell(_ event: ChatState.Event) -> [Effect] {
        guard let id = open?.conversation.id, let effects = open?.handle(event) else { return [] }
        return effects.flatMap { effect -> [Effect] in
            switch effect {
            case .quit: [.quit]
            case .redraw: [.redraw]
            case .suspend: [.suspend]
            case .openEditor(let text): edit(text, in: id)
            case .wish(let wish): fulfill(wish)
            case .markRead(let message) where choosing != nil: cover(message)
            default: [.conversation(id, effect)]
            }
        }
    }

    private mutating func edit(_ text: String, in conversation: String) -> [Effect] {
        editing = conversation
        return [.openEditor(text)]
    }

    /// What is behind a list was not read.
    private mutating func cover(_ message: String) -> [Effect] {
        unseen = message
        return []
    }

    private mutating func go(to place: ChatPlace) -> [Effect] {
        // Who is there already goes on with what they write.
        if place.message == nil, place.conversation == open?.conversation.id { return closePicker() }
        wanted = place
        return [.open(place)]
    }

    private mutating func show(_ conversation: ConversationDescription, unread: String?, at place: ChatPlace)
        -> [Effect]
    {
        guard wanted == nil || wanted == place else { return [] }
        // What a command brought must not take the line away from under whoever writes on.
        if wanted == nil, let open, open.conversation.id != conversation.id, !open.composer.input.isEmpty {
            list.take(conversation)
            say(["\(conversation.title) is there: /go \(conversation.title)"])
            return []
        }
        wanted = nil
        // Read was what is seen from now on.
        unseen = nil
        let closing = open == nil ? [] : closePicker()
        (choosing, picksConversations) = (nil, false)
        // What was begun is kept, and what was read meanwhile is counted.
        let before = open?.conversation.id
        let leaving = before.map { id in tell(.paused) + (id == conversation.id ? [] : [.loadEntry(id)]) } ?? []
        if let open { begun[open.conversation.id] = open.hasMoreThanDraft ? open.composer : nil }
        var state = ChatState(
            conversation, me: me, size: stateSize, firstUnread: unread, seeking: place.message)
        if let composer = begun.removeValue(forKey: conversation.id) { state.composer = composer }
        list.shown = conversation.id
        list.take(conversation)
        var beginning: [Effect] = []
        if case .connected = link {
            beginning = state.handle(.connected).map { .conversation(conversation.id, $0) }
        }
        open = state
        let typed = held
        held = []
        return closing + leaving + [.show(conversation.id)] + beginning + typed.flatMap { handle($0) }
    }

    private mutating func take(_ conversation: ConversationDescription) -> [Effect] {
        let changedMeanwhile = loading.removeValue(forKey: conversation.id) ?? false
        list.take(conversation)
        return changedMeanwhile ? load(conversation.id) : []
    }

    /// Asks how a conversation is now, once at a time.
    private mutating func load(_ id: String) -> [Effect] {
        let isLoading = loading[id] != nil
        loading[id] = isLoading
        return isLoading ? [] : [.loadEntry(id)]
    }

    private mutating func handle(_ event: NodeEvent) -> [Effect] {
        var effects: [Effect] = []
        switch event.type {
        case .message:
            guard let message = event.message else { break }
            switch list.note(message, unread: event.unread, mentioning: me) {
            case true?: effects.append(.ring)
            case false?: break
            case nil: effects += load(message.conversation)
            }
        case .conversation:
            // The one that is shown asks for itself.
            if let id = event.conversation, id != list.shown { effects += load(id) }
        case .resync:
            effects.append(.loadList)
        default:
            break
        }
        return effects + tell(.node(event))
    }

    // MARK: - Keys and wishes

    private mutating func handle(_ key: Key) -> [Effect] {
        if wanted != nil, let isHeld = holds(key) { return isHeld ? [] : giveBackHeld() }
        switch key {
        case .conversation(let number) where choosing == nil:
            return list.conversation(number).map { go(to: ChatPlace(conversation: $0)) } ?? []
        case .conversationBefore where choosing == nil:
            return list.neighbor(-1).map { go(to: ChatPlace(conversation: $0)) } ?? []
        case .conversationAfter where choosing == nil:
            return list.neighbor(1).map { go(to: ChatPlace(conversation: $0)) } ?? []
        case .conversationUnread:
            return list.nextUnread.map { go(to: ChatPlace(conversation: $0)) } ?? []
        case .tab where choosing == nil && completeName():
            return []
        default:
            return choosing == nil ? tell(.key(key)) : pick(key)
        }
    }

    /// Keeps a key for the place that was asked for: whether it did, or gives that place up; nil for keys that mean the
    /// same wherever one is.
    private mutating func holds(_ key: Key) -> Bool? {
        switch key {
        case .interrupt, .endOfInput, .redraw, .suspend, .conversation, .conversationBefore, .conversationAfter,
            .conversationUnread:
            return nil
        case .escape: return false
        default:
            held.append(key)
            return true
        }
    }

    private mutating func pick(_ key: Key) -> [Effect] {
        switch key {
        case .interrupt: return tell(.paused) + [.quit]
        case .endOfInput where choosing?.input.isEmpty == true: return tell(.paused) + [.quit]
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        default: break
        }
        choosing = picker
        let page = choosing?.page(in: size) ?? 1
        switch choosing?.handle(key, page: page) {
        case .chosen(.place(let place)): return go(to: place)
        case .chosen(.command(let action)):
            let closing = closePicker()
            return closing + tell(.begun("/\(action.rawValue) "))
        case .closed: return closePicker()
        case .typed(let command): return typed(command)
        case .nothing, .chosen(.none), nil: return []
        }
    }

    /// Does what a command says that was typed below the list.
    private mutating func typed(_ command: ChatCommand) -> [Effect] {
        guard case .act(let action, let argument) = command else {
            say(["/help lists the commands there are."])
            return []
        }
        switch action {
        case .quit: return tell(.paused) + [.quit]
        case .help: return fulfill(.help)
        case .go, .list, .search, .create, .direct, .join:
            guard let wish = ChatWish(action, argument) else {
                say(["/\(action.rawValue) \(action.help.arguments): \(action.help.meaning)"])
                return []
            }
            return fulfill(wish)
        default:
            say(["/\(action.rawValue) is about a conversation: choose one first."])
            return []
        }
    }

    private mutating func fulfill(_ wish: ChatWish) -> [Effect] {
        switch wish {
        case .list:
            showList()
            return []
        case .help:
            showHelp()
            return []
        case .go(let name):
            // The node knows also what is archived.
            return go(to: ChatPlace(conversation: list.conversation(named: name) ?? name))
        case .search, .create, .direct, .join, .add, .invite, .answer, .leave, .mute, .archive:
            return [.fulfill(wish, in: open?.conversation.id)]
        }
    }

    /// Completes the name of a conversation.
    private mutating func completeName() -> Bool {
        guard let line = open?.composer.input.textBeforeCursor, line.hasPrefix("/go ") else { return false }
        open?.take(Completion(String(line.dropFirst("/go ".count)), among: list.entries.map(\.title), ending: ""))
        return true
    }

    /// Says something where the user looks.
    private mutating func say(_ lines: [String]) {
        let lines = lines.map(TerminalText.line)
        if choosing != nil { choosing?.panel = lines } else { open?.panel = lines }
    }

    // MARK: - Choosing

    private mutating func showList() {
        picksConversations = true
        choosing = Picker(
            title: " Conversations   Enter opens, typing finds, /create NAME PERSON…, /direct PERSON, /help",
            nothing: "", rows: rows, chosen: list.shown.map { .place(ChatPlace(conversation: $0)) })
    }

    private mutating func showHelp() {
        picksConversations = false
        choosing = Picker(
            title: " Help   Enter begins a command, typing finds, Esc goes back",
            nothing: "",
            rows: ChatAction.allCases.map { .init(choice: .command($0), text: $0.helpLine) }
                + ChatAction.keyLines.enumerated().map { .init(choice: .none($0), text: $1) })
    }

    private mutating func show(_ page: SearchPage, words: String) {
        picksConversations = false
        choosing = Picker(
            title: " Found: \(TerminalText.line(words))   Enter goes there, Esc goes back",
            nothing: "Nothing was found.",
            rows: page.hits.map { hit in
                let time = LocalTime(hit.message.sentAt).map { "\($0.day) \($0.clock)" } ?? "-"
                let place = "\(hit.title), \(hit.message.senderName ?? OwnWord.unknown.rawValue)"
                return Picker.Row(
                    choice: .place(ChatPlace(conversation: hit.message.conversation, message: hit.message.id)),
                    text: TerminalText.line("\(time) \(place): \(hit.excerpt)"))
            })
    }

    private var rows: [Picker.Row] {
        list.entries.enumerated().map { number, entry in
            let begin = number < 10 ? "\((number + 1) % 10) " : "  "
            let preview = entry.preview.isEmpty ? "" : "  \(entry.preview)"
            return Picker.Row(
                choice: .place(ChatPlace(conversation: entry.id)), text: begin + entry.title + preview,
                mark: entry.awaitsAnswer ? "/accept or /decline" : entry.mark, isBold: entry.unread > 0)
        }
    }

    /// Shows the conversation again; without one there is the list, and nothing behind it.
    private mutating func closePicker() -> [Effect] {
        guard let id = open?.conversation.id else {
            showList()
            return []
        }
        choosing = nil
        picksConversations = false
        defer { unseen = nil }
        return unseen.map { [.conversation(id, .markRead(upTo: $0))] } ?? []
    }

    // MARK: - Screen

    /// What the screen shows now.
    var frame: ChatFrame {
        if let picker {
            var picker = picker
            if case .lost(let reason) = link { picker.panel.append("\(reason) Trying again…") }
            return picker.frame(in: size)
        }
        guard let open else { return ChatFrame(lines: [StyledLine("…")], cursorRow: 0, cursorColumn: 0) }
        guard hasSide else { return open.frame(note: list.note) }
        let frame = open.frame
        return frame.behind(list.side(rows: frame.lines.count))
    }
}
