import OperationLog
import Time

/// What a user keeps for themselves about one conversation. Nobody else sees it; all of their devices come to the same.
///
/// Every field, and every tag, is a last-writer-wins register of its own: devices that were apart keep whatever each of
/// them changed, and only of two changes of the same thing the later one counts. A value is its own delta, whoever
/// merges it.
///
/// Merging is associative, commutative and idempotent. For the fields that is so because it is for each register. Of
/// tags only the ``tagMemory`` latest writes are kept, those of tags taken away among them. That changes nothing: what
/// is forgotten is older than all that is kept, and merging makes the times of tags only later, so it would be
/// forgotten in every order.
public struct ConversationPreferences: Hashable, Sendable {
    /// Bytes of UTF-8 a draft may have, which are those of a message.
    public static let maximumDraftBytes = MessageBody.maximumTextBytes
    /// Tags a user may give a conversation. Where two devices gave them apart from each other there may be more.
    public static let maximumTags = 16
    /// Tags remembered, those taken away among them.
    static let tagMemory = 64

    typealias Register = PrivateRegister

    var pinning = Register<Bool>()
    var archiving = Register<ConversationPreferencesUpdate.Archiving>()
    var muting = Register<ConversationPreferencesUpdate.Muting>()
    var drafting = Register<String>()
    var sharing = Register<Bool>()
    var asking = Register<Bool>()
    var consent = Register<OperationID>()
    /// Whether the conversation has a tag.
    var tagging: [Tag: Register<Bool>] = [:]

    /// Nothing was said yet.
    public init() {}

    /// Whether the conversation is first in the list.
    public var isPinned: Bool { pinning.value ?? false }

    /// What the user wants archived; ``ConversationPreferencesUpdate/Archiving/byItself`` while they have said nothing.
    public var archived: ConversationPreferencesUpdate.Archiving { archiving.value ?? .byItself }

    /// How the conversation is muted, or nil where it is not.
    public func mute(at time: Timestamp) -> Mute? {
        switch muting.value ?? .off {
        case .off: nil
        case .on(let mute): mute.isOver(at: time) ? nil : mute
        }
    }

    /// Whether others learn what the user read there, as far as this alone decides it; true while they have said
    /// nothing.
    public var sharesReads: Bool { sharing.value ?? true }

    /// Whether the user wants to be asked before a group that others add them to is theirs; false while they have said
    /// nothing.
    public var asksWhenAdded: Bool { asking.value ?? false }

    /// What added them and they agreed to last; nil for nothing yet.
    public var consentsTo: OperationID? { consent.value }

    /// The tags, ascending.
    public var tags: [Tag] { tagging.filter { $0.value.value == true }.keys.sorted() }

    /// The text begun, or nil for none.
    public var draft: String? { drafting.value.flatMap { $0.isEmpty ? nil : $0 } }

    /// The latest write.
    var newest: PrivateStamp? {
        let fields = [
            pinning.stamp, archiving.stamp, muting.stamp, drafting.stamp, sharing.stamp, asking.stamp, consent.stamp,
        ]
        let stamps = fields + tagging.values.map(\.stamp)
        return stamps.lazy.compactMap { $0 }.max()
    }
}

// MARK: - Changing

extension ConversationPreferences {
    /// Makes a change; later than everything this device has seen, whatever the clock says.
    ///
    /// - Throws: ``PreferencesLimit``; nothing is changed then.
    public mutating func apply(
        _ change: ConversationPreferencesUpdate, at wall: Timestamp, by device: DeviceID
    ) throws(PreferencesLimit) {
        let tagged = Set(tags)
        let wanted = Set(change.tags ?? Array(tagged)).union(change.addedTags).subtracting(change.removedTags)
        guard wanted.count <= Self.maximumTags || wanted.isSubset(of: tagged) else { throw .tags }
        guard change.draft.map({ $0.utf8.count <= Self.maximumDraftBytes }) ?? true else { throw .draft }
        let stamp = PrivateStamp(at: wall, after: newest, by: device)
        if let pinned = change.pinned { pinning.write(pinned, at: stamp) }
        if let archived = change.archiving { archiving.write(archived, at: stamp) }
        if let muted = change.muting { muting.write(muted, at: stamp) }
        if let draft = change.draft { drafting.write(draft, at: stamp) }
        if let shares = change.sharesReads { sharing.write(shares, at: stamp) }
        if let asks = change.asksWhenAdded { asking.write(asks, at: stamp) }
        if let adding = change.consentsTo { consent.write(adding, at: stamp) }
        // Tags that are there are written after those that go, so that these are the first to be forgotten.
        for tag in tagged.union(change.removedTags).subtracting(wanted) where tagging[tag] != nil {
            write(tag, false, at: stamp)
        }
        let later = PrivateStamp(at: wall, after: stamp, by: device)
        // What was asked for is written even where it is so already: another device may have changed it before.
        for tag in Set(change.tags ?? []).union(change.addedTags).intersection(wanted) { write(tag, true, at: later) }
        guard tagging.count > Self.tagMemory else { return }
        for tag in wanted { write(tag, true, at: later) }
        forgetOldestTags()
    }

    /// Takes back what the user said about the archive, because it was about another end. It beats that word and none
    /// that was said later.
    public mutating func takeBackArchiving(by device: DeviceID) {
        guard let word = archiving.stamp else { return }
        archiving.write(.byItself, at: PrivateStamp(at: .earliest, after: word, by: device))
    }

    private mutating func write(_ tag: Tag, _ isThere: Bool, at stamp: PrivateStamp) {
        tagging[tag, default: Register()].write(isThere, at: stamp)
    }
}

// MARK: - Merging

extension ConversationPreferences {
    /// Takes over what another device of the user wrote.
    public mutating func merge(_ other: ConversationPreferences) {
        pinning.merge(other.pinning)
        archiving.merge(other.archiving)
        muting.merge(other.muting)
        drafting.merge(other.drafting)
        sharing.merge(other.sharing)
        asking.merge(other.asking)
        consent.merge(other.consent)
        tagging.merge(other.tagging) { $0.merging($1) }
        forgetOldestTags()
    }

    /// The same with other stamps; what that is nil for was never written.
    public func restamping(_ change: (PrivateStamp) -> PrivateStamp?) -> ConversationPreferences {
        var changed = ConversationPreferences()
        changed.pinning = pinning.restamping(change)
        changed.archiving = archiving.restamping(change)
        changed.muting = muting.restamping(change)
        changed.drafting = drafting.restamping(change)
        changed.sharing = sharing.restamping(change)
        changed.asking = asking.restamping(change)
        changed.consent = consent.restamping(change)
        changed.tagging = tagging.mapValues { $0.restamping(change) }.filter { $0.value.stamp != nil }
        return changed
    }

    /// What both are together.
    public func merging(_ other: ConversationPreferences) -> ConversationPreferences {
        var merged = self
        merged.merge(other)
        return merged
    }

    /// Keeps the ``tagMemory`` latest writes; of those made at once, the tags that order last.
    private mutating func forgetOldestTags() {
        guard tagging.count > Self.tagMemory else { return }
        let ranked = tagging.compactMap { tag, register in register.stamp.map { (stamp: $0, tag: tag) } }
            .sorted { ($0.stamp, $0.tag) > ($1.stamp, $1.tag) }
        for (_, tag) in ranked.dropFirst(Self.tagMemory) { tagging[tag] = nil }
    }
}
