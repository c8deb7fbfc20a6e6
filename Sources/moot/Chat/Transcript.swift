import LocalAPIModel

/// The messages of a conversation that are loaded: an unbroken run up to the newest.
struct Transcript: Equatable, Sendable {
    /// The most messages kept while the newest are looked at; what is older is loaded again when it is looked for.
    static let maximumMessages = 900
    /// How many more than are here the next page of the newest asks for, so that also what was written in between comes with it.
    private static let margin = 50
    /// The most messages of a page.
    private static let maximumPage = 1_000

    /// Oldest first.
    private(set) var messages: [MessageDescription] = []
    /// Where the page before the first message ends; nil at the beginning of the conversation.
    private(set) var earlier: String?
    /// What is missing of the conversation besides texts, in words.
    private(set) var gaps: [String] = []

    /// Whether something is missing: who can fill it may change at any time.
    var hasGaps: Bool { !gaps.isEmpty || messages.contains { $0.gap != nil } }

    /// What others than a person wrote, the newest last.
    func messages(ofOthersThan person: String) -> [MessageDescription] {
        messages.filter { $0.kind != .system && $0.sender != person }
    }

    /// How many messages to ask for to see everything here as it is now, and at the beginning what is unread.
    func newestCount(unread: Int) -> Int {
        min(Self.maximumPage, (messages.isEmpty ? unread : messages.count) + Self.margin)
    }

    /// Takes the newest page in: it is as the node shows it now, which also says in what order.
    mutating func merge(newest page: MessagePage) {
        guard let first = page.messages.first else {
            self = Transcript()
            gaps = (page.gaps ?? []).map(\.text)
            return
        }
        gaps = (page.gaps ?? []).map(\.text)
        if let place = messages.firstIndex(where: { $0.id == first.id }) {
            messages = messages[..<place] + page.messages
        } else {
            // There is a gap between what was here and what came, so what was here has to be loaded again.
            messages = page.messages
            earlier = page.earlier
        }
    }

    /// Puts the page before the first message in front, if it still is that page.
    mutating func prepend(_ page: MessagePage, before cursor: String) {
        guard earlier == cursor else { return }
        let known = Set(messages.map(\.id))
        messages = page.messages.filter { !known.contains($0.id) } + messages
        earlier = page.earlier
    }

    /// Forgets the oldest messages beyond ``maximumMessages``. Whoever reads old ones needs them, so it is not done by itself.
    mutating func trim() {
        guard messages.count > Self.maximumMessages else { return }
        messages.removeFirst(messages.count - Self.maximumMessages)
        earlier = messages.first?.id
    }
}
