import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// What the user keeps for themselves, on disk and on all of their devices.
extension NodeCore {
    /// Tells the exchange of private state what happened, and carries out what it asks for.
    mutating func tellPrivate(_ event: PrivateExchange.Event) {
        carryOut(ownDevices.privateExchange.handle(event, in: &context))
    }

    /// What is kept, as a digest: equal on devices that keep the same.
    package var privateStateDigest: PrivateDigest {
        var state = context.privateState
        return state.digest()
    }

    // MARK: - Keeping

    /// Makes what is kept about conversations durable, in one transaction.
    mutating func save(_ states: [ConversationID: ConversationPreferences]) throws(StoreError) {
        guard !states.isEmpty else { return }
        var sealed: [ConversationID: [UInt8]] = [:]
        for (conversation, state) in states {
            sealed[conversation] = keys.sealing.seal(
                state.encoded, in: Self.privateCell(of: conversation), using: &random)
        }
        try storage.save(preferences: sealed)
        for (conversation, state) in states { context.privateState.keep(state, of: conversation) }
    }

    // MARK: - Taking

    /// Takes over what another device of the user brought. What cannot be stored comes again with the next comparison.
    mutating func takePrivate(_ entries: [PrivateEntry], from peer: PeerHandle) {
        guard isOwnDevice(peer) else { return }
        let merge = PrivateMerge(of: entries, with: context)
        let news = merge.subjects
        let before = Dictionary(news.map { ($0, view(of: $0)) }) { first, _ in first }
        var isStored = true
        do throws(StoreError) {
            try keep(merge)
        } catch {
            isStored = false
            storageFailed(error)
        }
        settle(since: before)
        if !news.isEmpty { tellPrivate(.changed(news, by: peer)) }
        tellPrivate(.taken(from: peer, isNews: isStored && !news.isEmpty, lacking: merge.lacking))
    }

    private mutating func keep(_ merge: PrivateMerge) throws(StoreError) {
        try save(merge.conversations)
        try save(
            blocks: context.privateState.blocks.changes(merging: merge.blocks),
            verifications: context.privateState.verifications.changes(merging: merge.verifications))
    }

    /// What a piece of private state says to the user.
    private enum PrivateView: Equatable {
        case conversation(ConversationPreferences)
        case mark(Bool)
    }

    private func view(of subject: PrivateSubject) -> PrivateView {
        switch subject.kind {
        case .block: .mark(isBlocked(UserID(digest: subject.id)))
        case .verification: .mark(context.privateState.verifications.contains(UserID(digest: subject.id)))
        default: .conversation(preferences(of: ConversationID(digest: subject.id)))
        }
    }

    /// Brings about what follows from private state that is not what it was.
    private mutating func settle(since before: [PrivateSubject: PrivateView]) {
        for (subject, old) in before.sorted(by: { $0.key < $1.key }) {
            let new = view(of: subject)
            guard old != new else { continue }
            switch (subject.kind, old, new) {
            case (.block, _, _): blockChanged(of: UserID(digest: subject.id))
            case (.verification, _, _): verificationChanged(of: UserID(digest: subject.id))
            case (_, .conversation(let old), .conversation(let new)):
                settle(ConversationID(digest: subject.id), from: old, to: new)
            default: break
            }
        }
    }

    private mutating func settle(
        _ conversation: ConversationID, from old: ConversationPreferences, to new: ConversationPreferences
    ) {
        let isOwn = conversation == ownConversation
        if old.sharesReads != new.sharesReads {
            for affected in isOwn ? replicas.keys.sorted() : [conversation] { tellReceipts(.changed(affected)) }
        }
        if old.consentsTo != new.consentsTo || isOwn && old.asksWhenAdded != new.asksWhenAdded {
            welcomeChanged()
        }
        if isOwn, old.asksWhenAdded != new.asksWhenAdded || old.sharesReads != new.sharesReads {
            show(.person(me))
            for affected in replicas.keys.sorted() { show(.conversation(affected)) }
        }
        guard replicas[conversation] != nil else { return }
        if isQuiet(new), !isQuiet(old) { show(.settled(conversation)) }
        show(.conversation(conversation))
    }

    /// Whether the user wants to hear nothing of a conversation, or put it away.
    func isQuiet(_ state: ConversationPreferences) -> Bool {
        state.mute(at: moment.wall) != nil || state.archived == .archived
    }

    // MARK: - Devices that were taken out

    /// Writes anew what devices wrote that are the user's no more, and takes nothing more of what they write.
    ///
    /// Values stay, now as this device's own: nobody else can write later with the stamps that were taken over. What a
    /// revoked device said may be somebody else's word: that codes were compared on it does not count any more, and
    /// what it kept about conversations that are not here goes. So do the marks of blocks that it took off, which could
    /// fill the list, and how far it said the user had read where that has not come here yet. It is called at every
    /// start with all of them, and whenever there is one more.
    ///
    /// - Complexity: O(*n*) in what is kept.
    mutating func restampPrivateState(of devices: [DeviceID: Tombstone.Kind]) {
        // Of most users no device was ever taken out, and a start need not look at all that they keep.
        guard !devices.isEmpty else { return }
        context.privateState.formerDevices.formUnion(devices.keys)
        let revoked = Set(devices.filter { $0.value == .revoked }.keys)
        for device in revoked { ownDevices.readMarks.forget(saidBy: device) }
        let (me, wall) = (device.id, moment.wall)
        func restamped(_ stamp: PrivateStamp) -> PrivateStamp {
            devices[stamp.device] != nil ? stamp.takenOver(by: me, at: wall) : stamp
        }
        let before = context.privateState
        let views = Dictionary(before.index.subjects.map { ($0, view(of: $0)) }) { first, _ in first }
        let own = ownConversation
        var states: [ConversationID: ConversationPreferences] = [:]
        for (conversation, state) in before.conversations {
            let isHere = replicas[conversation] != nil || conversation == own
            let changed = state.restamping { isHere || !revoked.contains($0.device) ? restamped($0) : nil }
            if changed.encoded != state.encoded { states[conversation] = changed }
        }
        do throws(StoreError) {
            try save(states)
            let blocks = before.blocks.changes(restamping: { stamp, isMarked in
                isMarked || !revoked.contains(stamp.device) ? restamped(stamp) : nil
            })
            let verifications = before.verifications.changes(restamping: { stamp, isMarked in
                isMarked && revoked.contains(stamp.device) ? nil : restamped(stamp)
            })
            try save(blocks: blocks, verifications: verifications)
        } catch {
            storageFailed(error)
        }
        settle(since: views)
        let changed = context.privateState.index.changes(since: before.index)
        if !changed.isEmpty { tellPrivate(.changed(changed, by: nil)) }
    }
}
