import Conversations
import Cryptography
import OperationLog
import Replication
import Time

/// Invites by code: whoever holds the one-time key of one can join, although nobody knows them.
extension NodeCore {
    /// For how many seconds a code can be good.
    public static let codeRange = 1...30 * 24 * 3_600
    /// Codes of this user that may be open in one group.
    static let maximumCodes = 32

    /// Makes an invite for whoever first proves to hold its one-time key.
    ///
    /// The secret half of the key is kept nowhere: whoever is given it holds it.
    ///
    /// - Parameter seconds: how long it is good.
    /// - Returns: the invite and the seed of its key.
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `too_many_participants`, `not_a_participant`,
    ///   `invalid_operation` (a direct conversation, or too many codes), `invalid_request` outside ``codeRange``,
    ///   `disk_full`, `storage_failed`.
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
        guard replica.group.codes(of: me).count(where: { $0.state == .open }) < Self.maximumCodes else {
            throw NodeError(
                .invalidOperation, "You have \(Self.maximumCodes) codes for this group that nobody has used",
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
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `not_a_participant`,
    ///   `invalid_operation`, `disk_full`, `storage_failed`.
    public mutating func cancelCode(
        _ invite: OperationID, of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        try decide(in: try group(conversation)) { authority in [.cancel(under: authority, invite: invite)] }
    }

    /// Joins a group by a code, as soon as somebody of the group is met who lets this user in.
    ///
    /// Asked once more with the same code it says how that went. The node tries until the code ends. Its addresses are
    /// remembered.
    ///
    /// - Returns: whether the user is a member now; false while nobody has answered.
    /// - Throws: `code_expired`, `code_used`, `code_cancelled`, `invalid_operation` for one's own code or
    ///   when this user waits to join by too many, `disk_full`, `storage_failed`.
    public mutating func join(by offer: InviteOffer, at moment: Moment) throws(NodeError) -> Bool {
        self.moment = moment
        try requireIdentity()
        if replicas[offer.conversation]?.group.isMember(me) == true {
            tellInviteCodes(.ended(offer.conversation))
            return true
        }
        guard offer.device != device.id else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this is your own code",
                hint: "Give it to the person who is to join.")
        }
        if let failure = inviteCodes.takeFailure(of: offer.invite) { throw failure }
        // The inviter takes it back in a moment, whoever is asked now.
        guard moment.wall < offer.end else {
            tellInviteCodes(.ended(offer.conversation))
            throw InviteCodes.refusal(.codeExpired)
        }
        if inviteCodes.offer(for: offer.conversation)?.invite != offer.invite {
            guard inviteCodes.hasRoom(for: offer.conversation) else {
                throw NodeError(
                    .invalidOperation,
                    "You wait to join by \(InviteCodes.maximumJoins) codes, and nobody has answered yet",
                    hint: "Wait until somebody answers, or one of the codes ends.")
            }
            tellInviteCodes(.wanted(offer))
            // Anybody nearby may be a member who can let the user in.
            tellDiscovery(.everybodyWanted)
            tellDiscovery(.awaited)
            planWake()
        }
        try joinIfOpen(in: offer.conversation)
        if let failure = inviteCodes.takeFailure(of: offer.invite) { throw failure }
        return replicas[offer.conversation]?.group.isMember(me) == true
    }

    /// The error for a user whose join by a code takes long: `network_error`. It repeats a refusal by somebody other
    /// than the inviter, who may be wrong. The node goes on trying.
    public func delay(of offer: InviteOffer) -> NodeError {
        let places = offer.places.joined(separator: ", ")
        let hint = "The node goes on trying while it runs. Repeat the command to see how it went."
        return switch inviteCodes.unconfirmedRefusal(of: offer) {
        case .used:
            NodeError(
                .networkError,
                "Somebody who may not know says that the code was used; the inviter has not answered at \(places)",
                hint: hint)
        case .canceled:
            NodeError(
                .networkError,
                "Somebody who may not know says that the code was taken back; the inviter has not answered at \(places)",
                hint: hint)
        case nil: .unreachablePeers("Nobody of the group has answered at \(places)", hint: hint)
        }
    }

    // MARK: - Whoever wants to join

    /// Writes the join that the user asked for, once the lane shows that it would count.
    mutating func joinIfOpen(in conversation: ConversationID) throws(NodeError) {
        guard let offer = inviteCodes.offer(for: conversation), let replica = replicas[conversation] else { return }
        if replica.group.isMember(me) { return tellInviteCodes(.ended(conversation)) }
        guard let code = replica.group.code(offer.invite) else { return }
        switch code.state {
        case .open where replica.group.welcomes(me, by: offer.invite):
            let proof = InviteProof(of: offer.invite, to: conversation, for: me, signedWith: offer.key)
            try write([.join(invite: offer.invite, own: ownCredentials, proof: proof)], in: conversation)
            tellInviteCodes(.joined(conversation))
        case .used: tellInviteCodes(.failed(offer, .codeUsed))
        case .canceled: tellInviteCodes(.failed(offer, .codeCanceled))
        // It may count again: a full group has room once somebody leaves.
        case .open, .void: break
        }
    }

    // MARK: - Members

    /// Looks whether a proof that a peer shows is good, and if so, lets them see who is in the group.
    ///
    /// A peer that shows a false proof learns nothing, not even whether the invite exists. Nor does one that shows a
    /// good proof of an invite that is void: anybody who ever was a member can write any number of these, and what is
    /// shown is looked at again after each decision.
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
        case .used: effects.append(.send(peer, PeerMessage.sharing(.refusal(invite, .used)).encoded, .live))
        case .canceled: effects.append(.send(peer, PeerMessage.sharing(.refusal(invite, .canceled)).encoded, .live))
        // It may count again: a full group has room once somebody leaves.
        case .open, .void: break
        }
    }

    /// Everybody whom a conversation is shared with: whom its lane names, and who has shown that they may join.
    func audience(of replica: Replica) -> [UserID: MembershipStatus] {
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
    mutating func retractCodes(in conversation: ConversationID) throws(NodeError) {
        for code in inviteCodes.spentCodes(in: conversation, context) {
            let replica = try group(conversation)
            guard let authority = InviteCodes.authority(toTakeBack: code, in: replica, context) else { continue }
            try write([.cancel(under: authority, invite: code.id)], in: conversation)
        }
    }

    /// Takes back what has ended, if it is time to look.
    mutating func endCodes() {
        for conversation in inviteCodes.ended(at: moment.wall) {
            do throws(NodeError) {
                try retractCodes(in: conversation)
            } catch {
                note(.notStored(error))
            }
            inviteCodes.postpone(conversation, at: moment.wall)
        }
    }

    /// Tells the invites by code what happened, and carries out what they ask for.
    mutating func tellInviteCodes(_ event: InviteCodes.Event) {
        let requests = inviteCodes.handle(event, in: context)
        context.familiarity.awaited = inviteCodes.awaited
        carryOut(requests)
    }
}
