import Conversations
import OperationLog
import Replication
import Time

/// What another device brought of the user's private state, merged with what is here; nothing of it is kept yet.
///
/// What is not as it should be is passed over, not answered: bytes that are no state, or one of a later version; writes
/// that claim to be from more than a day ahead, or of a device that is the user's no more; what there is no room for;
/// and what is about something of which nothing is kept here.
struct PrivateMerge {
    /// How far a write may be ahead of this host's clock, in milliseconds.
    static let maximumLead: UInt64 = 86_400_000

    /// The conversations about which something else is to be kept than before.
    private(set) var conversations: [ConversationID: ConversationPreferences] = [:]
    /// The people who are blocked otherwise than before, or not any more.
    private(set) var blocks: [UserID: PersonMark] = [:]
    /// The people with whom codes were compared, or not any more.
    private(set) var verifications: [UserID: PersonMark] = [:]
    /// What the other device lacks something of.
    private(set) var lacking: [PrivateSubject] = []

    private var room: (count: Int, bytes: Int)

    /// Merges what came with what is here.
    init(of entries: [PrivateEntry], with context: NodeContext) {
        let index = context.privateState.index
        room = (PersonalState.maximumCount - index.count, PersonalState.maximumBytes - index.byteCount)
        for entry in entries where context.keepsPrivateState(of: entry.subject) {
            do throws(MalformedBytes) {
                try merge(entry, context)
            } catch {
                // Of a later version, or of a device that lies: either way nobody else is kept from what is right.
                continue
            }
        }
    }

    /// What is to be kept otherwise than before.
    var subjects: [PrivateSubject] {
        conversations.keys.map { PrivateSubject(.conversation, of: $0) }
            + blocks.keys.map { PrivateSubject(.block, of: $0) }
            + verifications.keys.map { PrivateSubject(.verification, of: $0) }
    }

    private mutating func merge(_ entry: PrivateEntry, _ context: NodeContext) throws(MalformedBytes) {
        let state = context.privateState
        switch entry.subject.kind {
        case .conversation:
            let id = ConversationID(digest: entry.subject.id)
            let theirs = try ConversationPreferences(decoding: entry.state)
            let mine = state.conversations[id] ?? ConversationPreferences()
            let merged = mine.merging(theirs.restamping { Self.taken($0, context) })
            note(entry, whether: theirs.merging(merged).encoded != entry.state)
            if takes(merged.encoded, for: entry.subject, insteadOf: mine.encoded, context) {
                conversations[id] = merged
            }
        case .block:
            let user = UserID(digest: entry.subject.id)
            if let mark = try merge(entry, with: state.blocks.people[user], context) { blocks[user] = mark }
        case .verification:
            let user = UserID(digest: entry.subject.id)
            if let mark = try merge(entry, with: state.verifications.people[user], context) {
                verifications[user] = mark
            }
        default: break
        }
    }

    private mutating func merge(
        _ entry: PrivateEntry, with mine: PersonMark?, _ context: NodeContext
    ) throws(MalformedBytes) -> PersonMark? {
        let theirs = try PersonMark(decoding: entry.state)
        let mine = mine ?? PersonMark()
        let merged = mine.merging(theirs.restamping { Self.taken($0, context) })
        note(entry, whether: theirs.merging(merged).encoded != entry.state)
        return takes(merged.encoded, for: entry.subject, insteadOf: mine.encoded, context) ? merged : nil
    }

    private mutating func note(_ entry: PrivateEntry, whether isLacking: Bool) {
        if isLacking { lacking.append(entry.subject) }
    }

    /// A stamp as it came, or nil for one that is not taken. A write with a stamp that was changed would be another one
    /// than elsewhere.
    private static func taken(_ stamp: PrivateStamp, _ context: NodeContext) -> PrivateStamp? {
        guard stamp.time <= UInt64(context.moment.wall.milliseconds) + maximumLead,
            !context.privateState.formerDevices.contains(stamp.device)
        else { return nil }
        return stamp
    }

    /// Whether a state is another one than before, and there is room for it.
    private mutating func takes(
        _ state: [UInt8], for subject: PrivateSubject, insteadOf before: [UInt8], _ context: NodeContext
    ) -> Bool {
        guard state != before else { return false }
        let known = context.privateState.index.byteCount(of: subject)
        let growth = state.count - (known ?? 0)
        guard growth <= max(0, room.bytes), known != nil || room.count > 0 else { return false }
        room.bytes -= growth
        if known == nil { room.count -= 1 }
        return true
    }
}

extension NodeContext {
    /// Whether anything is kept of what a piece of private state is about: not of a conversation that the user erased
    /// here, and the user neither blocks themselves nor compares codes with themselves.
    func keepsPrivateState(of subject: PrivateSubject) -> Bool {
        switch subject.kind {
        case .conversation: !familiarity.erased.contains(ConversationID(digest: subject.id))
        case .block, .verification: subject.id != me.digest
        default: false
        }
    }
}
