import LocalAPIModel

/// What is loaded, what of it is on the screen, and what was read.
extension ChatState {
    /// How many messages are loaded at most to find one that is sought page by page.
    private static let maximumSought = 5_000

    /// Asks for all that is here as it is now, and the newest.
    mutating func loadNewest() -> [Effect] { load(newest: transcript.newestCount(unread: conversation.unread)) }

    /// Asks for what may have changed without an event that shows how.
    mutating func loadUnsettled() -> [Effect] { load(newest: transcript.unsettledCount(for: me)) }

    /// Asks for the newest, unless somebody reads so far back that they are loaded when they are looked at.
    private mutating func load(newest count: Int) -> [Effect] {
        guard transcript.later == nil || anchor == nil else { return [] }
        guard !loading.newest else {
            stale = max(stale, count)
            return []
        }
        loading.newest = true
        stale = 0
        return [.loadNewest(limit: count)]
    }

    /// Takes in a message that came, or is not what it was.
    mutating func take(_ message: MessageDescription) -> [Effect] {
        let seen = transcript.messages.last(where: isOfSomebodyElse)?.id
        guard transcript.take(message) else { return loadNewest() }
        // A page that is under way may be older.
        if loading.newest { stale = max(stale, transcript.unsettledCount(for: me)) }
        return settle(after: seen)
    }

    /// What follows where the newest messages are other ones than before.
    ///
    /// - Parameter seen: what somebody else wrote last before.
    private mutating func settle(after seen: String?) -> [Effect] {
        // Whoever had read all and reads older messages finds where to go on.
        if anchor != nil, let seen, seen == lastRead?.message { beginUnread(after: seen) }
        if sought == nil {
            if anchor == nil { transcript.trim() } else { transcript.cutEnd() }
        }
        composer.aim(in: transcript, by: me, selected: selection?.isTyping == true ? selected : nil)
        return seek() + markRead()
    }

    /// Asks again for what is shown, of which anything may have changed.
    mutating func loadAgain() -> [Effect] {
        guard transcript.later != nil, let anchor else { return loadNewest() }
        return loadAround(anchor.message)
    }

    mutating func take(_ page: MessagePage) -> [Effect] {
        loading.newest = false
        // Whoever has gone far back since they were asked for reads there.
        guard transcript.later == nil || anchor == nil else { return [] }
        guard anchor == nil || sought != nil || transcript.meets(newest: page) else {
            // More came at once than was asked for: it begins below what is read.
            transcript.noteGapAtEnd()
            return []
        }
        let seen = transcript.messages.last(where: isOfSomebodyElse)?.id
        transcript.merge(newest: page, isOlder: stale > 0)
        return settle(after: seen) + (stale > 0 ? load(newest: stale) : [])
    }

    mutating func take(earlier page: MessagePage, before cursor: String) -> [Effect] {
        loading.earlier = false
        transcript.prepend(page, before: cursor, keepsEnd: anchor == nil || sought != nil)
        return sought == nil ? [] : seek() + markRead()
    }

    mutating func take(later page: MessagePage, after cursor: String) -> [Effect] {
        loading.later = false
        transcript.append(page, after: cursor)
        // Of what came while this was under way nothing was asked for.
        return transcript.later == nil ? loadNewest() : []
    }

    private mutating func loadAround(_ message: String) -> [Effect] {
        guard !loading.around else { return [] }
        loading.around = true
        return [.loadAround(message)]
    }

    mutating func take(around page: MessagePage) -> [Effect] {
        loading.around = false
        guard let wanted = sought ?? anchor?.message, page.messages.contains(where: { $0.id == wanted }) else {
            if sought != nil { panel = ["That message is not shown to you."] }
            sought = nil
            return markRead()
        }
        transcript.begin(with: page)
        return seek() + markRead()
    }

    /// Shows the newest messages.
    mutating func showNewest() -> [Effect] {
        anchor = nil
        return transcript.later == nil ? [] : loadNewest()
    }

    private mutating func beginUnread(after seen: String) {
        guard let place = transcript.messages.firstIndex(where: { $0.id == seen }) else { return }
        firstUnread = transcript.messages[(place + 1)...].first(where: isOfSomebodyElse)?.id ?? firstUnread
    }

    /// Goes to the message that is sought, or loads more until it is there.
    mutating func seek() -> [Effect] {
        guard let wanted = sought else { return [] }
        let isUnread = wanted == firstUnread
        if let message = transcript.messages.firstIndex(where: { $0.id == wanted }) {
            sought = nil
            // What is unread begins at the top; any other message is in the middle, between what is around it.
            show(message, below: isUnread ? 0 : transcriptHeight - 1 - transcriptHeight / 2)
            return []
        }
        guard let earlier = transcript.earlier else {
            sought = nil
            if !isUnread { panel = ["That message is not shown to you."] }
            return []
        }
        if !isUnread, !isPlain { return loadAround(wanted) }
        guard transcript.messages.count < Self.maximumSought else {
            sought = nil
            panel = ["That message is far back; Page Up leads there."]
            if isUnread { show(0, below: 0) }
            return []
        }
        guard !loading.earlier else { return [] }
        loading.earlier = true
        return [.loadEarlier(before: earlier)]
    }

    /// Scrolls as little as is needed to see a message.
    mutating func reveal(_ id: String) {
        let layout = layout
        guard let message = layout.messages.lastIndex(where: { $0.id == id }), let bottom = bottom(in: layout) else {
            return
        }
        let end = ChatLayout.Position(message: message, line: layout.lines(of: message).count - 1)
        if message > bottom.message || (message == bottom.message && end.line > bottom.line) {
            return settle(at: end, in: layout)
        }
        let top = layout.position(transcriptHeight - 1, above: bottom)
        if message < top.message || (message == top.message && top.line > 0) { show(message, below: 0) }
    }

    /// Begins the view so many lines above a message; ends it with the newest where there is not enough below.
    private mutating func show(_ message: Int, below lines: Int) {
        let (layout, first) = (layout, ChatLayout.Position(message: message, line: 0))
        let height = transcriptHeight - 1 - lines
        guard let last = layout.position(height, below: first), last != layout.end else {
            if let end = layout.end { settle(at: end, in: layout) }
            return
        }
        // One line says how much is below.
        settle(at: layout.position(max(0, height - 1), below: first) ?? last, in: layout)
    }

    /// Ends the view with a line, or with whatever comes where that is the last of all.
    private mutating func settle(at position: ChatLayout.Position, in layout: ChatLayout) {
        anchor =
            position == layout.end && transcript.later == nil
            ? nil : Anchor(message: layout.messages[position.message].id, line: position.line)
    }

    /// What is on the screen was read, and what stands before it.
    mutating func markRead() -> [Effect] {
        let layout = layout
        guard sought == nil, let bottom = bottom(in: layout) else { return [] }
        if let anchor, layout.messages[bottom.message].id != anchor.message { return [] }
        // A message the end of which is below the screen was not read.
        let isCut = bottom.line < layout.lines(of: bottom.message).count - 1
        let shown = transcript.messages[..<(isCut ? bottom.message : bottom.message + 1)]
        guard let place = shown.lastIndex(where: isOfSomebodyElse) else { return [] }
        let mark = ReadMark(
            message: shown[place].id, count: shown[...place].reduce(0) { $0 + (isOfSomebodyElse($1) ? 1 : 0) })
        if let lastRead, let before = transcript.messages.firstIndex(where: { $0.id == lastRead.message }) {
            guard place > before || place == before && mark.count > lastRead.count else { return [] }
        } else if lastRead != nil, transcript.later != nil {
            // That is further on.
            return []
        }
        lastRead = mark
        return [.markRead(upTo: mark.message)]
    }

    /// Whether all is said line by line, below each other.
    private var isPlain: Bool { size.rows >= PlainView.rows }

    // MARK: - Scrolling

    var layout: ChatLayout {
        ChatLayout(
            messages: transcript.messages, width: size.columns, me: me, firstUnread: firstUnread,
            selected: selection?.message)
    }

    /// The last line shown; nil where there is no message.
    func bottom(in layout: ChatLayout) -> ChatLayout.Position? {
        guard let anchor, let message = layout.messages.firstIndex(where: { $0.id == anchor.message }) else {
            return layout.end
        }
        return .init(message: message, line: min(anchor.line, layout.lines(of: message).count - 1))
    }

    /// One line stays in view, so that the eye finds its place.
    private var page: Int { max(1, transcriptHeight - 1) }

    mutating func scrollUp() -> [Effect] {
        let layout = layout
        guard let bottom = bottom(in: layout), let end = layout.end else { return [] }
        let first = ChatLayout.Position(message: 0, line: 0)
        // The first line of all stays at the top.
        let lowest = layout.position(transcriptHeight - 1, below: first) ?? end
        var position = layout.position(page, above: bottom)
        if position.message < lowest.message || (position.message == lowest.message && position.line < lowest.line) {
            position = lowest
        }
        settle(at: position, in: layout)
        let isAtTop = layout.lines(endingAt: position, count: transcriptHeight + page).count < transcriptHeight + page
        guard isAtTop, !loading.earlier, let earlier = transcript.earlier else { return [] }
        loading.earlier = true
        return [.loadEarlier(before: earlier)]
    }

    mutating func scrollDown() -> [Effect] {
        let layout = layout
        guard let bottom = bottom(in: layout), let end = layout.end else { return [] }
        let position = layout.position(page, below: bottom) ?? end
        settle(at: position, in: layout)
        return markRead() + (layout.position(page, below: position) == nil ? loadLater() : [])
    }

    mutating func loadLater() -> [Effect] {
        guard !loading.later, let later = transcript.later else { return [] }
        loading.later = true
        return [.loadLater(after: later)]
    }
}
