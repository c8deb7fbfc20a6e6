import Conversations
import LocalAPIModel
import NodeCore
import OperationLog
import Time

extension Node {
    /// Changes what the user keeps for themselves about a conversation. Nobody else hears of it.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `tag_invalid`, `text_invalid`, `invalid_request` for a
    ///   time that is none or is over, `disk_full`, `storage_failed`.
    public func change(_ wish: PreferencesRequest, of conversation: String) throws(NodeError) -> ConversationDescription
    {
        let replica = try replica(named: conversation)
        var change = ConversationPreferencesUpdate()
        change.pinned = wish.pinned
        change.archiving = wish.archived.map { $0 ? .archived : .kept }
        change.muting = try muting(wish, of: replica)
        change.tags = try wish.tags?.map(tag)
        change.addedTags = try wish.addedTags.map(tag)
        change.removedTags = try wish.removedTags.map(tag)
        change.draft = wish.draft
        change.sharesReads = wish.receipts
        try self.change { core, moment throws(NodeError) in try core.change(change, of: replica.id, at: moment) }
        return try describe(replica)
    }

    private func muting(_ wish: PreferencesRequest, of replica: Replica) throws(NodeError)
        -> ConversationPreferencesUpdate.Muting?
    {
        let current = core.preferences(of: replica.id).mute(at: Clock.now)
        let allowsMentions = wish.mentionsOnly ?? current?.allowsMentions ?? false
        switch wish.muting {
        case .off:
            return .off
        case .forever:
            return .on(Mute(until: nil, allowsMentions: allowsMentions))
        case .until(let text):
            guard let end = Clock.time(text) else {
                throw NodeError(
                    .invalidRequest, "\"\(text.prefix(64))\" is no time",
                    hint: "Write it like 2026-11-21T09:30:00Z, or \"forever\".")
            }
            guard end > Clock.now else {
                throw NodeError(.invalidRequest, "\(Clock.text(end.milliseconds)) is over", hint: "Name a later time.")
            }
            return .on(Mute(until: end, allowsMentions: allowsMentions))
        case nil:
            guard let mentionsOnly = wish.mentionsOnly else { return nil }
            guard current != nil || mentionsOnly else { return nil }
            return .on(Mute(until: current?.end, allowsMentions: mentionsOnly))
        }
    }

    private func tag(_ text: String) throws(NodeError) -> Tag {
        guard let tag = Tag(text) else {
            throw NodeError(
                .tagInvalid, "A tag has 1 to \(Tag.maximumLength) characters on one line, and no spaces around it")
        }
        return tag
    }
}
