import Conversations
import Cryptography
import OperationLog
import Replication

/// What a code says that lets somebody into a group.
public struct InviteOffer: Sendable {
    /// The group.
    public let conversation: ConversationID
    /// The invite by code.
    public let invite: OperationID
    /// The one-time key.
    public let key: SigningKey
    /// When the inviter takes the invite back.
    public let end: Timestamp
    /// The inviter's device.
    public let device: DeviceID
    /// Where that device listens.
    public let places: [String]

    /// Describes a code.
    public init(
        conversation: ConversationID, invite: OperationID, key: SigningKey, end: Timestamp, device: DeviceID,
        places: [String]
    ) {
        self.conversation = conversation
        self.invite = invite
        self.key = key
        self.end = end
        self.device = device
        self.places = places
    }
}

/// An invite by code that the user wants to join by, while nobody has let them in.
struct Joining: Sendable {
    let offer: InviteOffer
    /// What somebody said who may not know, or may lie.
    var rumor: InviteRefusal?
}

/// Invites by code: whoever holds the one-time key of one can join, although nobody knows them.
extension NodeCore {
    /// For how many seconds a code can be good.
    public static let codeRange = 1...30 * 24 * 3_600
    /// Codes of this user that may be open in one group.
    static let codeLimit = 32
    /// Codes by which this user can wait to join at one time: more than that nobody remembers of them.
    static let joinLimit = Replicator.maximumProofs
    /// How long to rest after an invite could not be taken back, in milliseconds.
    private static let codeRest: Int64 = 5_000

    /// Makes an invite for whoever first proves to hold its one-time key.
    ///
    /// The secret half of the key is kept nowhere: whoever is given it holds it.
    ///
    /// - Parameter seconds: how long it is good.
    /// - Returns: the invite and the seed of its key.
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `too_many_participants`, `not_a_participant`,
    ///   `invalid_operation` (a direct conversation, or too many codes), `invalid_request` outside ``codeRange``, `disk_full`,
    ///   `storage_failed`.
    public mutating func makeCode(
        for conversation: ConversationID, lasting seconds: Int, at moment: Moment
    ) throws(NodeError) -> (code: Group.Code, seed: [UInt8]) {
        self.moment = moment
        let replica = try group(conversation)
        guard Self.codeRange.contains(seconds) else {
            throw NodeError(.invalidRequest, "A code is good for 1 second to 30 days")
        }
        guard replica.group.members.count < Group.capacity else {
            throw NodeError(.tooManyParticipants, "A group has at most \(Group.capacity) members")
        }
        guard replica.group.codes(of: me).count(where: { $0.state == .open }) < Self.codeLimit else {
            throw NodeError(
                .invalidOperation, "You have \(Self.codeLimit) codes for this group that nobody has used",
                hint: "Take one back: 'moot invite GROUP --codes' lists them.")
        }
        let seed = random.bytes(SigningKey.seedByteCount)
        guard let key = SigningKey(seed: seed)?.verifyingKey else { preconditionFailure("a seed has 32 bytes") }
        let end = Timestamp(clamping: moment.wall.milliseconds + Int64(seconds) * 1_000)
        try decide(in: replica) { authority in [.invite(under: authority, .holder(of: key, until: end))] }
        guard let code = try group(conversation).group.codes(of: me).last(where: { $0.key == key }) else {
            preconditionFailure("what was committed is in the lane")
        }
        return (code, seed)
    }

    /// Takes back an invite by code: one's own, or of an inviter whom this user outranks.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `not_a_participant`, `invalid_operation`,
    ///   `disk_full`, `storage_failed`.
    public mutating func cancelCode(
        _ invite: OperationID, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        try decide(in: try group(conversation)) { authority in [.cancel(under: authority, invite: invite)] }
    }

    /// Joins a group by a code, as soon as somebody of the group is met who lets this user in.
    ///
    /// Asked once more with the same code it says how that went. The node tries until the code ends. Its addresses are remembered.
    ///
    /// - Returns: whether the user is a member now; false while nobody has answered.
    /// - Throws: `code_expired`, `code_used`, `code_cancelled`, `invalid_operation` for one's own code or
    ///   when this user waits to join by too many, `disk_full`, `storage_failed`.
    public mutating func join(by offer: InviteOffer, at moment: Moment) throws(NodeError) -> Bool {
        self.moment = moment
        if replicas[offer.conversation]?.group.isMember(me) == true {
            endJoining(offer.conversation)
            return true
        }
        guard offer.device != device.id else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this is your own code",
                hint: "Give it to the person who is to join.")
        }
        if let failure = joinFailures.removeValue(forKey: offer.invite) { throw failure }
        // The inviter takes it back in a moment, whoever is asked now.
        guard moment.wall < offer.end else {
            endJoining(offer.conversation)
            throw Self.refusal(.codeExpired)
        }
        if joinings[offer.conversation]?.offer.invite != offer.invite {
            guard joinings[offer.conversation] != nil || joinings.count < Self.joinLimit else {
                throw NodeError(
                    .invalidOperation, "You wait to join by \(Self.joinLimit) codes, and nobody has answered yet",
                    hint: "Wait until somebody answers, or one of the codes ends.")
            }
            makeRoomForProof()
            joinings[offer.conversation] = Joining(offer: offer)
            let proof = InviteProof(of: offer.invite, to: offer.conversation, for: me, signedWith: offer.key)
            for place in offer.places { keep(place, of: offer.device, success: nil) }
            replicate(.presenting(offer.conversation, offer.invite, proof))
            tellDiscovery(.awaited)
            planWake()
        }
        try joinIfWelcome(in: offer.conversation)
        if let failure = joinFailures.removeValue(forKey: offer.invite) { throw failure }
        return replicas[offer.conversation]?.group.isMember(me) == true
    }

    /// What to tell a user who has waited for long to join by a code: `network_error`, with what others than the inviter said of it, who
    /// may not know. The node goes on trying.
    public func delay(of offer: InviteOffer) -> NodeError {
        let joining = joinings[offer.conversation].flatMap { $0.offer.invite == offer.invite ? $0 : nil }
        let places = offer.places.joined(separator: ", ")
        let message =
            switch joining?.rumor {
            case .used:
                "Somebody who may not know says that the code was used; the inviter has not answered at \(places)"
            case .cancelled:
                "Somebody who may not know says that the code was taken back; the inviter has not answered at \(places)"
            case nil: "Nobody of the group has answered at \(places)"
            }
        return NodeError(
            .networkError, message,
            hint: "The node goes on trying while it runs. Repeat the command to see how it went.")
    }

    // MARK: - Whoever wants to join

    /// Writes the join that the user asked for, once the lane shows that it would count.
    mutating func joinIfWelcome(in conversation: ConversationID) throws(NodeError) {
        guard let offer = joinings[conversation]?.offer, let replica = replicas[conversation] else { return }
        if replica.group.isMember(me) { return endJoining(conversation) }
        guard let code = replica.group.code(offer.invite) else { return }
        switch code.state {
        case .open where replica.group.welcomes(me, by: offer.invite):
            let proof = InviteProof(of: offer.invite, to: conversation, for: me, signedWith: offer.key)
            try write([.join(invite: offer.invite, own: ownCredentials, proof: proof)], in: conversation)
            keepShowingJoin(in: conversation)
        case .used: fail(offer, .codeUsed)
        case .cancelled: fail(offer, .codeCancelled)
        // It may count again: a full group has room once somebody leaves.
        case .open, .void: break
        }
    }

    /// Takes note of what a peer says about an invite. Only its inviter is believed: anybody who was shown the proof could say so.
    mutating func hear(_ reason: InviteRefusal, about invite: OperationID, from peer: PeerHandle) {
        guard let (conversation, joining) = joinings.first(where: { $0.value.offer.invite == invite }) else { return }
        joinings[conversation]?.rumor = reason
        guard links[peer]?.identity?.device.id == joining.offer.device else { return }
        switch reason {
        case .used: fail(joining.offer, .codeUsed)
        case .cancelled: fail(joining.offer, .codeCancelled)
        }
    }

    private mutating func fail(_ offer: InviteOffer, _ code: NodeError.Code) {
        joinFailures[offer.invite] = Self.refusal(code)
        endJoining(offer.conversation)
    }

    private mutating func endJoining(_ conversation: ConversationID) {
        guard joinings.removeValue(forKey: conversation) != nil else { return }
        replicate(.withdrawn(conversation))
    }

    /// Gives up to join by codes that have ended: their inviters take them back.
    mutating func endJoinings() {
        let ended = joinings.filter { $0.value.offer.end <= moment.wall }.keys
        for conversation in ended.sorted() { endJoining(conversation) }
    }

    private static func refusal(_ code: NodeError.Code) -> NodeError {
        let hint = "Ask for a new code."
        return switch code {
        case .codeUsed: NodeError(code, "Somebody has joined by this code already", hint: hint)
        case .codeExpired: NodeError(code, "The code was good for a time that is over", hint: hint)
        default: NodeError(.codeCancelled, "The code was taken back", hint: hint)
        }
    }

    // MARK: - Members

    /// Looks whether a proof that a peer shows is good, and if so, lets them see who is in the group.
    ///
    /// Who shows a false one learns nothing, not even whether there is such an invite.
    mutating func examine(
        _ proof: InviteProof, of invite: OperationID, to conversation: ConversationID, from peer: PeerHandle
    ) {
        guard let replica = replicas[conversation], replica.group.isMember(me),
            let user = links[peer]?.identity?.device.user, let key = replica.group.key(ofCode: invite),
            proof.isValid(of: invite, to: conversation, for: user, under: key),
            let code = replica.group.code(invite)
        else { return }
        switch code.state {
        case .open where replica.group.welcomes(user, by: invite):
            guard links[peer]?.openedBy[conversation] != invite else { return }
            links[peer]?.openedBy[conversation] = invite
            announce(audience(of: replica), of: conversation)
        case .used(by: user): break
        case .used: effects.append(.send(peer, PeerMessage.refusal(invite, .used).encoded, .live))
        case .cancelled: effects.append(.send(peer, PeerMessage.refusal(invite, .cancelled).encoded, .live))
        // It may count again: a full group has room once somebody leaves.
        case .open, .void: break
        }
    }

    /// Everybody whom a conversation is shared with: whom its lane names, and who has shown that they may join.
    func audience(of replica: Replica) -> [UserID: Group.Standing] {
        var audience = replica.group.audience
        for link in links.values {
            guard let user = link.identity?.device.user, let invite = link.openedBy[replica.id],
                audience[user] == nil || audience[user] == .former, replica.group.welcomes(user, by: invite)
            else { continue }
            audience[user] = .invited
        }
        return audience
    }

    // MARK: - The inviter

    /// Takes back what this user's codes have let somebody in by, or what has ended.
    ///
    /// The first join ends an invite: once this is known, nobody who holds the code can claim to have come first.
    mutating func retractCodes(in conversation: ConversationID) throws(NodeError) {
        guard let replica = replicas[conversation], codeEnds[conversation] != nil else { return }
        for code in ownCodes(in: replica) {
            switch code.state {
            case .used: break
            case .open where code.end <= moment.wall: break
            case .open, .cancelled, .void: continue
            }
            guard let authority = authority(toTakeBack: code, in: try group(conversation)) else { continue }
            try write([.cancel(under: authority, invite: code.id)], in: conversation)
        }
    }

    /// Takes back what has ended, if it is time to look.
    mutating func endCodes() {
        for (conversation, end) in codeEnds.sorted(by: { $0.key < $1.key }) where end <= moment.wall {
            do throws(NodeError) {
                try retractCodes(in: conversation)
            } catch {
                note(.notStored(error))
            }
            // A full disk is not asked again at once.
            if let end = codeEnds[conversation], end <= moment.wall {
                codeEnds[conversation] = Timestamp(clamping: moment.wall.milliseconds + Self.codeRest)
            }
        }
    }

    /// Notes when the first of this user's codes in a conversation is to be taken back. Who may not do that waits for no time: a role that
    /// they are given again is a commit, after which this is planned anew.
    mutating func planCodes(in replica: Replica) {
        codeEnds[replica.id] = ownCodes(in: replica).filter { authority(toTakeBack: $0, in: replica) != nil }
            .map { $0.state == .open ? $0.end : moment.wall }.min()
        planWake()
    }

    /// Under which authority this user can take back a code; nil if they may not, or not any more.
    private func authority(toTakeBack code: Group.Code, in replica: Replica) -> MembershipBody.Authority? {
        let permission = replica.group.permission(for: { .cancel(under: $0, invite: code.id) }, by: me)
        guard case .granted(let authority)? = permission else { return nil }
        return authority
    }

    /// When to look next for codes that have ended, this user's and those by which they wait to join. A node that has stopped writing takes
    /// back no code, so it must not wake for one: it would wake again and again.
    var nextCodeEnd: Instant? {
        ((isCopied ? [] : Array(codeEnds.values)) + joinings.values.map(\.offer.end)).min().map {
            now + .milliseconds(max(0, $0.milliseconds - moment.wall.milliseconds))
        }
    }

    /// The own invites by code that count and were not taken back.
    private func ownCodes(in replica: Replica) -> [Group.Code] {
        replica.group.codes(of: me).filter { !$0.isTakenBack && $0.state != .void }
    }
}
