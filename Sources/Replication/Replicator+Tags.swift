import Cryptography
import OperationLog
import Time

/// Finding out which conversations are shared with a peer, at a cost that does not depend on how many others there are.
///
/// Tags name what both know. Whoever is in a conversation and shows no tag of it is told of it (announce). If an
/// announcing peer is not known as a member, the node examines only as many announcements as a newcomer needs. It
/// forgets those that led to nothing when the connection ends. They get the same answers whether the conversation is
/// known here or not, so they cannot find out who is in it.
extension Replicator {
    /// Conversations that one peer may have announced at a time without being known as one of their people.
    static let maximumAnnouncements = 32
    /// Announcements of one peer that wait for room, and so of those to one peer that it has not shown a tag for.
    static let maximumAnnouncementsWaiting = 1_024
    /// Tags that each of two nodes shows the other on one connection at most.
    public static let maximumTags = 8_192

    // MARK: - Showing

    /// Shows a new peer the tags of all conversations whose audience its user is in.
    mutating func shareEverything(with handle: PeerHandle, into effects: inout [Effect]) {
        guard let user = peers[handle]?.identity.device.user else { return }
        var tags: [ConversationTag] = []
        for conversation in conversations.filter({ $0.value.audience[user] != nil }).keys.sorted() {
            if let tag = peers[handle]?.show(conversation) { tags.append(tag) }
        }
        for start in stride(from: 0, to: max(tags.count, 1), by: PeerMessage.maximumListEntries) {
            let part = Array(tags[start..<min(start + PeerMessage.maximumListEntries, tags.count)])
            send(.sharing(.tags(part)), to: handle, into: &effects)
        }
    }

    /// Shows a peer the tag of a conversation if its user is in the audience, or announced it, and tells them of it if
    /// they should know it.
    mutating func share(_ conversation: ConversationID, with handle: PeerHandle, into effects: inout [Effect]) {
        guard let user = peers[handle]?.identity.device.user, let state = conversations[conversation] else { return }
        let standing = state.audience[user]
        if standing == nil || standing == .former {
            peers[handle]?.shared.told.remove(conversation)
            settle(conversation, with: handle, into: &effects)
        }
        // Whoever announced it knows it: they may hold what makes them one of us.
        guard standing != nil || peers[handle]?.shared.announced.contains(conversation) == true else { return }
        if let tag = peers[handle]?.show(conversation) { send(.sharing(.tags([tag])), to: handle, into: &effects) }
        guard let peer = peers[handle], peer.shared.hasShownTags, peer.shared.slots[conversation] != nil,
            !peer.shared.theirSlots.contains(conversation)
        else { return }
        if let slot = peer.shared.tags[peer.tag(of: conversation)] {
            begin(conversation, slot, with: handle, into: &effects)
        } else {
            tell(of: conversation, to: handle, into: &effects)
        }
    }

    /// Tells a peer once of a conversation that it is in and seems not to know.
    private mutating func tell(of conversation: ConversationID, to handle: PeerHandle, into effects: inout [Effect]) {
        guard let user = peers[handle]?.identity.device.user, let state = conversations[conversation],
            let standing = state.audience[user], standing != .former,
            peers[handle]?.shared.told.insert(conversation).inserted == true
        else { return }
        // What the peer has no room for would be lost.
        guard peers[handle].map({ $0.shared.untagged.count < Self.maximumAnnouncementsWaiting }) == true else {
            peers[handle]?.shared.untold.append(conversation)
            return
        }
        peers[handle]?.shared.untagged.insert(conversation)
        send(.sharing(.announce(conversation, state.root)), to: handle, into: &effects)
    }

    /// Notes that a peer has looked at what it was told of, or need not, and tells it of what waited for that.
    private mutating func settle(
        _ conversation: ConversationID, with handle: PeerHandle, into effects: inout [Effect]
    ) {
        guard peers[handle]?.shared.untagged.remove(conversation) != nil else { return }
        while let next = peers[handle]?.shared.untold.popFirst() {
            peers[handle]?.shared.told.remove(next)
            guard peers[handle]?.shared.theirSlots.contains(next) == false else { continue }
            tell(of: next, to: handle, into: &effects)
            // What its user has left meanwhile it is not told of.
            if peers[handle]?.shared.told.contains(next) == true { return }
        }
    }

    // MARK: - Hearing

    /// Recognizes tags that a peer shows, and begins with what has become shared. What it shows beyond the limit is not
    /// looked at.
    mutating func hear(_ tags: [ConversationTag], from handle: PeerHandle, into effects: inout [Effect]) {
        guard let peer = peers[handle] else { return }
        let isFirst = !peer.shared.hasShownTags
        peers[handle]?.shared.hasShownTags = true
        let tags = tags.prefix(Self.maximumTags - peer.shared.tagCount)
        peers[handle]?.shared.tagCount += tags.count
        for (slot, tag) in zip(peer.shared.tagCount..., tags) {
            peers[handle]?.shared.tags[tag] = slot
            guard let conversation = peer.shared.expected[tag],
                peers[handle]?.shared.theirSlots.contains(conversation) == false
            else { continue }
            begin(conversation, slot, with: handle, into: &effects)
        }
        guard isFirst else { return }
        for conversation in peer.shared.shown where peers[handle]?.shared.theirSlots.contains(conversation) == false {
            tell(of: conversation, to: handle, into: &effects)
        }
    }

    private mutating func begin(
        _ conversation: ConversationID, _ slot: Int, with handle: PeerHandle,
        into effects: inout [Effect]
    ) {
        peers[handle]?.shared.bySlot[slot] = conversation
        peers[handle]?.shared.theirSlots.insert(conversation)
        settle(conversation, with: handle, into: &effects)
        effects.append(.recognized(handle, conversation, slot: slot))
        statuses(of: conversation, to: handle, into: &effects)
        let membership = LaneID(conversation: conversation, lane: .membership)
        guard isRestricted(membership, for: handle) else { return }
        // A former member who takes this user for a member says what they hold. Who says nothing may take this user for
        // out.
        peers[handle]?.lanes[membership, default: PeerLane()].doubts.mustCompare = true
        compare(membership, with: handle, at: now + Self.grace * 20)
    }

    /// Takes in that a peer tells of a conversation.
    mutating func hear(
        _ conversation: ConversationID, _ root: ConversationRoot, from handle: PeerHandle,
        into effects: inout [Effect]
    ) {
        guard let user = peers[handle]?.identity.device.user,
            peers[handle]?.shared.announced.contains(conversation) == false, isPossible(root, from: user)
        else { return }
        if conversations[conversation]?.audience[user] == nil, root == .group {
            guard peers[handle].map({ $0.shared.unproven.count < Self.maximumAnnouncements }) == true else {
                guard peers[handle].map({ $0.shared.announcements.count < Self.maximumAnnouncementsWaiting }) == true
                else {
                    return
                }
                peers[handle]?.shared.announcements.append(conversation)
                return
            }
            peers[handle]?.shared.unproven.insert(conversation)
        }
        peers[handle]?.shared.announced.insert(conversation)
        // Anybody can call the id of a direct conversation that of a group. Only one of its two people can tell of it
        // as what it is.
        if conversations[conversation].map({ $0.root == .group && root != .group }) ?? true {
            conversations[conversation] = Conversation(root: root, audience: [:])
            effects.append(.open(conversation, root, from: handle))
        }
        share(conversation, with: handle, into: &effects)
    }

    /// Whether a peer may tell of a conversation: of a direct one only the other party, or another device of this user.
    /// Anybody can compute the id of one between any two people.
    private func isPossible(_ root: ConversationRoot, from user: UserID) -> Bool {
        guard case .direct(let first, let second) = root else { return true }
        guard first == device.user || second == device.user else { return false }
        return user == device.user || user == first || user == second
    }

    /// Looks at announcements that waited, as far as there is room for them now.
    mutating func proveAnnouncements(of conversation: ConversationID, into effects: inout [Effect]) {
        guard let audience = conversations[conversation]?.audience, !audience.isEmpty else { return }
        for handle in peers.handles {
            guard let peer = peers[handle], audience[peer.identity.device.user] != nil,
                peers[handle]?.shared.unproven.remove(conversation) != nil, !peer.shared.announcements.isEmpty
            else { continue }
            let next = peer.shared.announcements[0]
            peers[handle]?.shared.announcements.removeFirst()
            hear(next, .group, from: handle, into: &effects)
        }
    }

    /// Forgets conversations of which somebody told who is gone, and of which nothing came.
    mutating func forgetEmptyConversations(of gone: Peer, into effects: inout [Effect]) {
        for conversation in gone.shared.shown where isEmpty(conversation) {
            guard !peers.contains(where: { $0.value.shared.slots[conversation] != nil }) else { continue }
            conversations[conversation] = nil
            claims[conversation] = nil
            sampling.forget(conversation)
            for lane in Lane.allCases { lanes[LaneID(conversation: conversation, lane: lane)] = nil }
            effects.append(.forgotten(conversation))
        }
    }

    private func isEmpty(_ conversation: ConversationID) -> Bool {
        Lane.allCases.allSatisfy {
            lanes[LaneID(conversation: conversation, lane: $0)]?.frontier.tips.isEmpty ?? true
        }
    }

    // MARK: - Who may hear what

    /// Whether a user is or was in a conversation that is here, or is invited to one.
    public func isShared(with user: UserID) -> Bool {
        conversations.values.contains { $0.audience[user] != nil }
    }

    /// Whether nothing at all is known of a peer's user in a conversation: they are answered as if nothing were held of
    /// it.
    func isUnknown(_ id: LaneID, for peer: PeerHandle) -> Bool {
        guard let user = peers[peer]?.identity.device.user else { return true }
        return conversations[id.conversation]?.audience[user] == nil
    }

    /// What is held of a lane as far as a peer may notice it.
    func frontier(_ id: LaneID, shownTo peer: PeerHandle) -> Frontier {
        isUnknown(id, for: peer) ? Frontier() : lanes[id]?.frontier ?? Frontier()
    }
}

extension Replicator.Peer {
    /// Gives a conversation a place in the list of tags; nil if it has one, or there is no more room.
    fileprivate mutating func show(_ conversation: ConversationID) -> ConversationTag? {
        guard shared.slots[conversation] == nil, shared.shown.count < Replicator.maximumTags else { return nil }
        shared.slots[conversation] = shared.shown.count
        shared.shown.append(conversation)
        shared.expected[tag(of: conversation)] = conversation
        return ConversationTag(conversation, transcript: transcript, role: role)
    }

    /// The tag by which the peer names a conversation.
    fileprivate func tag(of conversation: ConversationID) -> ConversationTag {
        ConversationTag(conversation, transcript: transcript, role: role == .initiator ? .responder : .initiator)
    }
}
