import Conversations
import OperationLog
import Storage
import Time

/// Ends the user's identity, for good.
///
/// The last card that a root signs says so, and supersedes every other one on every replica that sees it. From then on
/// the node passes that card on, reads and serves what it holds, and signs nothing: neither operations nor receipts,
/// keys or cards.
extension NodeCore {
    /// Whether the user ended their identity.
    public var isDeleted: Bool { context.isDeleted }

    /// Leaves every group, turns down every invite, then says to everybody that this user is no more. Nothing undoes
    /// it.
    ///
    /// Where the user is the last admin, the oldest member takes over. Where one member remains, the group is archived.
    /// What fails in between leaves the identity as it is, and the groups that were left, left: asked again, the node
    /// goes on from there.
    ///
    /// - Throws: `invalid_operation` on a device that does not hold the root, `home_copied`, `disk_full`,
    ///   `storage_failed`.
    public mutating func deleteIdentity(at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard !isDeleted else { return }
        try requireWritable()
        let root = try requireRoot()
        for conversation in inviteCodes.awaited.sorted() { tellInviteCodes(.ended(conversation)) }
        for (conversation, replica) in replicas.sorted(by: { $0.key < $1.key }) where !replica.isDirect {
            if replica.group.isMember(me) {
                try leave(conversation, force: true, archive: true, at: moment)
            } else if !replica.group.openInvites(of: me).isEmpty {
                try declineInvite(to: conversation, at: moment)
            }
        }
        let deletion = ProfileCard(deletionBy: root, identity: card.identity)
        do throws(StoreError) {
            try storage.save(deletion, seenAt: moment.wall)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        card = deletion
        learn(deletion)
        publishIntroduction()
        show(.person(me))
    }

    /// - Throws: `identity_deleted`.
    func requireIdentity() throws(NodeError) {
        if isDeleted { throw .identityDeleted }
    }

    /// - Throws: `identity_deleted`, `device_taken_out`, `invalid_operation` where the user's newest record leaves this
    ///   device out, `home_copied`, `not_certified`.
    func requireWritable() throws(NodeError) {
        try requireIdentity()
        if context.isTakenOut { throw .deviceTakenOut }
        if isNewDevice { throw .notCertified }
        guard context.countingIdentity.certifies(device.id) else {
            throw NodeError(
                .invalidOperation, "The newest list of your devices does not name this one",
                hint: "It is one of yours again once it meets the device that holds your identity's key.")
        }
        if isCopied { throw .homeCopied }
    }

    /// Refuses what would bring somebody into a conversation, or among one's contacts, who ended their identity.
    ///
    /// - Throws: `deleted_person`.
    public func requireNotDeleted(_ user: UserID) throws(NodeError) {
        guard contacts[user].isDeleted else { return }
        throw NodeError(
            .deletedPerson, "This person (\(user.description.prefix(16))) has deleted their identity",
            hint: "If they have begun anew, they are somebody else now: 'moot people' shows who has been seen.")
    }
}

extension NodeError {
    /// What the user is told on a device that another of theirs took out.
    public static let deviceTakenOut = NodeError(
        .deviceTakenOut, "This device was taken out: it is none of yours any more, and writes nothing",
        hint: "You can read what is here. To use this host again, move its home away and link it once more: moot link")

    /// What whoever wants to write is told after they ended their identity.
    public static let identityDeleted = NodeError(
        .identityDeleted, "You have deleted your identity, so this node writes nothing any more",
        hint: "You can read what is here. To begin anew, as somebody else: moot up --home DIR")
}
