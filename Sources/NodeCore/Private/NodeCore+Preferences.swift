import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// What the user keeps for themselves about conversations: durable, and sealed on disk, because a draft is text that a
/// person wrote.
extension NodeCore {
    /// Changes what the user keeps for themselves about a conversation.
    ///
    /// Who wants a conversation out of the archive that would not be there without them only takes back their word: it
    /// goes there again when the group is archived.
    ///
    /// - Throws: `conversation_not_found`, `tag_invalid` for too many tags, `text_invalid` for too long a draft,
    ///   `disk_full`, `storage_failed`.
    public mutating func change(
        _ wish: ConversationPreferencesUpdate, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try replica(conversation)
        guard wish.sharesReads == nil || conversation != ownConversation else {
            throw NodeError(
                .invalidOperation, "Nobody but you reads your notes to yourself",
                hint: "For all conversations at once: moot profile set --receipts")
        }
        var wish = wish
        if wish.archiving == .kept, !isArchivedByItself(replica) { wish.archiving = .byItself }
        let wasQuiet = isQuiet(preferences(of: conversation))
        try keep(wish, of: conversation)
        if !wasQuiet, isQuiet(preferences(of: conversation)) { show(.settled(conversation)) }
        if wish.sharesReads != nil { tellReceipts(.changed(conversation)) }
        show(.conversation(conversation))
    }

    /// Makes a change durable; the conversation need not be here.
    mutating func keep(_ wish: ConversationPreferencesUpdate, of conversation: ConversationID) throws(NodeError) {
        var state = preferences(of: conversation)
        do throws(PreferencesLimit) {
            try state.apply(wish, at: moment.wall, by: device.id)
        } catch {
            switch error {
            case .tags:
                throw NodeError(
                    .tagInvalid, "A conversation has at most \(ConversationPreferences.maximumTags) tags",
                    hint: "Take one away first.")
            case .draft:
                throw NodeError(
                    .textInvalid, "A draft has at most 16 KiB", hint: "Send a part of it, or keep it in a file.")
            }
        }
        try keep(state, of: conversation)
    }

    private mutating func keep(_ state: ConversationPreferences, of conversation: ConversationID) throws(NodeError) {
        guard state != preferences(of: conversation) else { return }
        do throws(StoreError) {
            try save([conversation: state])
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        tellPrivate(.changed([PrivateSubject(.conversation, of: conversation)], by: nil))
    }

    /// What the user keeps for themselves about a conversation.
    public func preferences(of conversation: ConversationID) -> ConversationPreferences {
        context.preferences(of: conversation)
    }

    /// Whether a conversation is put away: the user's own word counts, and while they say nothing, a group is archived
    /// that has fewer than two members or that they left.
    public func isArchived(_ replica: Replica) -> Bool {
        switch preferences(of: replica.id).archived {
        case .byItself: isArchivedByItself(replica)
        case .archived: true
        case .kept: false
        }
    }

    private func isArchivedByItself(_ replica: Replica) -> Bool { isOver(replica.group) }

    private func isOver(_ group: Group) -> Bool { group.isArchived || group.hasLeft(me) }

    /// Archives a group that has just come down to one member or that the user has just left: that they took it out of
    /// the archive before was about another end.
    mutating func archiveIfOver(_ replica: Replica, before: Group) {
        var state = preferences(of: replica.id)
        guard state.archived == .kept, isOver(replica.group), !isOver(before) else { return }
        // Not with the time of now: the user may have said otherwise on another device since, and this one did not hear
        // it yet.
        state.takeBackArchiving(by: device.id)
        do throws(NodeError) {
            try keep(state, of: replica.id)
        } catch {
            note(.notStored(error))
        }
    }

    /// Reads what is kept.
    static func preferences(
        in storage: any ReplicaStorage, keys: Keys
    ) throws(StoreError) -> [ConversationID: ConversationPreferences] {
        var states: [ConversationID: ConversationPreferences] = [:]
        for (conversation, sealed) in try storage.preferences() {
            guard let bytes = try? keys.sealing.openBytes(sealed, in: privateCell(of: conversation)),
                let state = try? ConversationPreferences(decoding: bytes)
            else { throw .corrupted("what was kept about conversation \(conversation) does not open") }
            states[conversation] = state
        }
        return states
    }

    static func privateCell(of conversation: ConversationID) -> StorageLocation {
        StorageLocation(table: "private_states", row: conversation.digest.bytes, kind: "state")
    }
}
