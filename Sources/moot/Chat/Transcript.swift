import LocalAPIModel

/// The messages of a conversation that are loaded: an unbroken run, up to the newest unless somebody reads far back.
struct Transcript: Equatable, Sendable {
    /// The most messages kept. What goes at the other end than the one that is looked at is loaded again when it is
    /// looked for.
    static let maximumMessages = 900
    /// How many more than are here the next page of the newest asks for, so that also what was written in between comes
    /// with it.
    private static let margin = 50
    /// How far back it is looked for messages that may change without an event that shows how.
    private static let recent = 200
    /// The most messages of a page.
    private static let maximumPage = 1_000

    /// Oldest first.
    private(set) var messages: [MessageDescription] = []
    /// Where the page before the first message ends; nil at the beginning of the conversation.
    private(set) var earlier: String?
    /// Where the page after the last message begins; nil where that is the newest.
    private(set) var later: String?
    /// What is missing of the conversation besides texts, in words.
    private(set) var gaps: [String] = []

    /// Whether something is missing: who can fill it may change at any time.
    var hasGaps: Bool { !gaps.isEmpty || messages.contains { $0.gap != nil } }

    /// What others than a person wrote, the newest last; nothing while the newest are not here, from which it is
    /// counted.
    func messages(ofOthersThan person: String) -> [MessageDescription] {
        later == nil ? messages.filter { $0.kind != .system && $0.sender != person } : []
    }

    /// The newest message of a kind; nil while the newest are not here.
    func newest(where isMeant: (MessageDescription) -> Bool) -> MessageDescription? {
        later == nil ? messages.last(where: isMeant) : nil
    }

    /// How many messages to ask for to see everything here as it is now, and at the beginning what is unread.
    func newestCount(unread: Int) -> Int {
        min(Self.maximumPage, (messages.isEmpty || later != nil ? unread : messages.count) + Self.margin)
    }

    /// How many messages to ask for to see what becomes of those that a person wrote and that have not come to
    /// everybody, and of those that cannot be read yet.
    func unsettledCount(for person: String) -> Int {
        let recent = messages.suffix(Self.recent)
        let first = recent.firstIndex { $0.isUnsettled(for: person) } ?? messages.endIndex
        return messages.endIndex - first + Self.margin
    }

    /// Takes in a message that came, or is not what it was: whether its place is known here.
    mutating func take(_ message: MessageDescription) -> Bool {
        if let place = messages.lastIndex(where: { $0.id == message.id }) {
            messages[place] = message
        } else {
            guard later == nil, let last = messages.last, (last.sentAt, last.id) < (message.sentAt, message.id) else {
                return false
            }
            messages.append(message)
        }
        return true
    }

    /// Takes the newest page in: it is as the node shows it now, which also says in what order.
    ///
    /// - Parameter isOlder: whether something may have come since it was asked for: what is newer stays.
    mutating func merge(newest page: MessagePage, isOlder: Bool) {
        // What is in between is not known.
        if later != nil { self = Transcript() }
        guard let first = page.messages.first else {
            self = Transcript()
            gaps = (page.gaps ?? []).map(\.text)
            return
        }
        gaps = (page.gaps ?? []).map(\.text)
        if let place = messages.firstIndex(where: { $0.id == first.id }) {
            let last = isOlder ? messages.lastIndex { $0.id == page.messages.last?.id } : nil
            let newer = last.map { messages[($0 + 1)...] } ?? []
            messages = messages[..<place] + page.messages + newer
        } else {
            // There is a gap between what was here and what came, so what was here has to be loaded again.
            messages = page.messages
            earlier = page.earlier
        }
    }

    /// Puts the page before the first message in front, if it still is that page.
    ///
    /// - Parameter keepsEnd: whether the newest stay, however many there are.
    mutating func prepend(_ page: MessagePage, before cursor: String, keepsEnd: Bool) {
        guard earlier == cursor else { return }
        messages = Self.news(of: page, besides: messages) + messages
        earlier = page.earlier
        if !keepsEnd { cutEnd() }
    }

    /// Forgets the newest messages beyond ``maximumMessages``.
    mutating func cutEnd() {
        guard messages.count > Self.maximumMessages else { return }
        messages.removeLast(messages.count - Self.maximumMessages)
        later = messages.last?.id
    }

    /// Whether nothing is between a newest page and the messages here: one of the two begins within the other.
    func meets(newest page: MessagePage) -> Bool {
        guard let theirs = page.messages.first, let ours = messages.first else { return true }
        return messages.contains { $0.id == theirs.id } || page.messages.contains { $0.id == ours.id }
    }

    /// Notes that more came than is known of.
    mutating func noteGapAtEnd() { later = messages.last?.id }

    /// Puts the page after the last message behind it, if it still is that page.
    mutating func append(_ page: MessagePage, after cursor: String) {
        guard later == cursor else { return }
        messages += Self.news(of: page, besides: messages)
        later = page.later
        trim()
    }

    /// Begins anew with a page from anywhere.
    mutating func begin(with page: MessagePage) {
        (messages, earlier, later) = (page.messages, page.earlier, page.later)
    }

    /// Takes in how a file is doing now, in every message that carries it: each calls it as its own sender does.
    mutating func update(_ file: FileDescription) {
        for place in messages.indices {
            for index in messages[place].files.indices where messages[place].files[index].id == file.id {
                var changed = file
                let shown = messages[place].files[index]
                (changed.name, changed.message, changed.conversation) = (shown.name, shown.message, shown.conversation)
                messages[place].files[index] = changed
            }
        }
    }

    private static func news(of page: MessagePage, besides messages: [MessageDescription]) -> [MessageDescription] {
        let known = Set(messages.map(\.id))
        return page.messages.filter { !known.contains($0.id) }
    }

    /// Forgets the oldest messages beyond ``maximumMessages``.
    mutating func trim() {
        guard messages.count > Self.maximumMessages else { return }
        messages.removeFirst(messages.count - Self.maximumMessages)
        earlier = messages.first?.id
    }
}

extension MessageDescription {
    /// Whether it may change without an event that shows how: it has not come to everybody, or cannot be read yet.
    fileprivate func isUnsettled(for author: String) -> Bool {
        if let state, sender == author { return state.readBy.count < state.recipients }
        return gap != nil || [.closed, .wanted, .declined, .unreadable].contains(readability)
    }
}
