import Conversations
import OperationLog
import Time

/// Membership by consent: who is invited becomes a member when they accept.
extension NodeCore {
    /// Invites a person to a group. They see who is in it, and nothing of what is written before they have accepted.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `already_in_group`, `unknown_person`,
    ///   `deleted_person`, `duplicate_participant` (they are invited), `too_many_participants`, `not_a_participant`,
    ///   `invalid_operation`, `disk_full`, `storage_failed`.
    public mutating func invite(
        _ target: UserID, to conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        guard !replica.group.isMember(target) else {
            throw NodeError(.alreadyInGroup, "\(contacts[target].name) is already in the group")
        }
        guard replica.group.openInvites(of: target).isEmpty else {
            throw NodeError(.duplicateParticipant, "\(contacts[target].name) is invited already")
        }
        guard replica.group.members.count < Group.capacity else {
            throw NodeError(.tooManyParticipants, "A group has at most \(Group.capacity) members")
        }
        let person = try credentials(of: target)
        try decide(in: replica) { authority in [.invite(under: authority, .person(person))] }
    }

    /// Takes back every open invite of a person: one's own, or of an inviter whom this user outranks.
    ///
    /// - Throws: `conversation_not_found`, `unknown_person` (they are not invited), `insufficient_permissions`,
    ///   `outranked`, `not_a_participant`, `invalid_operation`, `disk_full`, `storage_failed`.
    public mutating func cancelInvite(
        of target: UserID, to conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        let invites = replica.group.openInvites(of: target)
        guard !invites.isEmpty else {
            throw NodeError(.unknownPerson, "\(contacts[target].name) is not invited to this group")
        }
        try decide(in: replica) { authority in invites.map { .cancel(under: authority, invite: $0.id) } }
    }

    /// Accepts the invite to a group: this user is a member at once. Where they were added, and want to be asked or
    /// took no part yet, agrees to that: then all that anybody brings of it has room.
    ///
    /// - Throws: `conversation_not_found`, `invalid_operation` (no open invite), `already_in_group`, `disk_full`,
    ///   `storage_failed`.
    public mutating func acceptInvite(to conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        guard !awaitsConsent(replica), !replica.group.isMember(me) || !context.isUnaccepted(replica) else {
            return try consent(in: replica)
        }
        guard !replica.group.isMember(me) else { throw NodeError(.alreadyInGroup, "You are already in the group") }
        // The latest of several: whoever made it knew most.
        guard let invite = try ownInvites(to: replica).last else { return }
        try write([.join(invite: invite.id, own: ownCredentials, proof: nil)], in: conversation)
    }

    /// Turns down every open invite to a group, or leaves one that this user was added to and has not accepted:
    /// whatever becomes of it without them.
    ///
    /// - Throws: `conversation_not_found`, `invalid_operation` (no open invite), `disk_full`, `storage_failed`.
    public mutating func declineInvite(to conversation: ConversationID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        if awaitsConsent(replica) { return try leave(conversation, force: true, archive: true, at: moment) }
        let invites = try ownInvites(to: replica)
        try write(invites.map { .decline(invite: $0.id) }, in: conversation)
    }

    private func ownInvites(to replica: Replica) throws(NodeError) -> [Group.Invite] {
        let invites = replica.group.openInvites(of: me)
        guard !invites.isEmpty else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: you have no open invite to this group",
                hint: "Ask a moderator or an admin of the group for one.")
        }
        return invites
    }
}
