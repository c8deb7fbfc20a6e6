import Conversations
import LocalAPIModel

/// The conversations that somebody can go to: in which order, and what is new in each.
///
/// The order is that of the first look and stays, so that a number means the same conversation all the time; what comes
/// new is put at the end.
struct ConversationList: Equatable, Sendable {
    /// What is kept of a conversation. A thousand of them with all their members would fill the memory.
    struct Entry: Equatable, Sendable {
        let id: String
        var title: String
        var unread: Int
        /// Whether something unread mentions the user.
        var mentionsMe = false
        /// Whether what comes there makes no sound; a mention may all the same.
        var isMuted: Bool
        var isSilent: Bool
        /// Whether the user is to say whether they want to be in it.
        var awaitsAnswer: Bool
        /// What was said last, on one line.
        var preview: String

        init(_ conversation: ConversationDescription) {
            id = conversation.id
            title = TerminalText.line(conversation.title)
            unread = conversation.unread
            isMuted = conversation.mutedUntil != nil
            isSilent = isMuted && !conversation.mentionsOnly
            awaitsAnswer = conversation.me.awaitsAnswer
            preview = conversation.lastMessage.map(Self.preview) ?? ""
        }

        static func preview(of message: MessageDescription) -> String {
            guard message.kind != .system, let name = message.senderName else { return TerminalText.line(message.text) }
            return String(TerminalText.line("\(name): \(message.summary)").prefix(200))
        }

        /// What is new, for example "3", "@3" where one of them mentions the user; empty where nothing is.
        var mark: String {
            if awaitsAnswer { return "?" }
            guard unread > 0 else { return "" }
            return (mentionsMe ? "@" : "") + (unread > 999 ? "999+" : "\(unread)")
        }
    }

    private(set) var entries: [Entry] = []
    /// Whether the node has said which conversations there are.
    private(set) var isKnown = false
    /// The id of the conversation that is shown; nil while none is.
    var shown: String?

    /// Takes the whole list in.
    mutating func take(_ conversations: [ConversationDescription]) {
        isKnown = true
        let mentioned = Set(entries.lazy.filter(\.mentionsMe).map(\.id))
        var new = conversations.map(Entry.init)
        for index in new.indices {
            new[index].mentionsMe = new[index].unread > 0 && mentioned.contains(new[index].id)
        }
        let places = Dictionary(entries.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        // A list that is empty has no order to keep.
        let known = new.filter { places[$0.id] != nil }.sorted { (places[$0.id] ?? 0) < (places[$1.id] ?? 0) }
        entries = known + new.filter { places[$0.id] == nil }
    }

    /// Takes one conversation in, as it is now.
    mutating func take(_ conversation: ConversationDescription) {
        var entry = Entry(conversation)
        guard let place = entries.firstIndex(where: { $0.id == entry.id }) else {
            // What is put away, or over, is found by its name.
            if !conversation.archived { entries.append(entry) }
            return
        }
        if conversation.archived, entry.id != shown {
            entries.remove(at: place)
            return
        }
        entry.mentionsMe = entries[place].mentionsMe && entry.unread > 0
        entries[place] = entry
    }

    /// Notes a message of somebody else.
    ///
    /// - Returns: Whether it is for the user in person, and they want to hear it; nil where the conversation is not
    ///   known.
    mutating func note(_ message: MessageDescription, unread: Int?, mentioning me: String) -> Bool? {
        guard let place = entries.firstIndex(where: { $0.id == message.conversation }) else { return nil }
        entries[place].preview = Entry.preview(of: message)
        guard message.conversation != shown, message.kind != .system, message.sender != me else { return false }
        entries[place].unread = unread ?? entries[place].unread + 1
        guard message.mentions.contains(me) else { return false }
        entries[place].mentionsMe = true
        return !entries[place].isSilent
    }

    /// The conversation so many places after the one that is shown, around the end; nil where there is none.
    func neighbor(_ step: Int) -> String? {
        guard !entries.isEmpty else { return nil }
        guard let place = entries.firstIndex(where: { $0.id == shown }) else { return entries.first?.id }
        let count = entries.count
        return entries[((place + step) % count + count) % count].id
    }

    /// The next conversation with something unread: one with a mention first.
    var nextUnread: String? {
        let place = entries.firstIndex { $0.id == shown } ?? 0
        let others = (entries[place...] + entries[..<place]).filter { $0.id != shown && $0.unread > 0 }
        return (others.first(where: \.mentionsMe) ?? others.first)?.id
    }

    /// The conversation with a number, from 1 on.
    func conversation(_ number: Int) -> String? {
        entries.indices.contains(number - 1) ? entries[number - 1].id : nil
    }

    /// The conversation that a name means: the one that is called so, or the only one whose title has it in it. Case
    /// does not count. Nil also for what is no name, which the node knows.
    func conversation(named name: String) -> String? {
        guard case .name(let name, _) = Designation(name.lowercased()) else { return nil }
        let titles = entries.map { ($0.id, $0.title.lowercased()) }
        for fits in [{ $0 == name }, { $0.hasPrefix(name) }, { $0.contains(name) }] as [(String) -> Bool] {
            let found = titles.filter { fits($0.1) }
            if found.count == 1 { return found[0].0 }
            if found.count > 1 { return nil }
        }
        return nil
    }
}
