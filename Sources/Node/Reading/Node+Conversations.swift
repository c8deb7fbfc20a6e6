import Conversations
import Membership
import NodeCore
import OperationLog
import SQLiteStore

extension Node {
    /// All conversations, the latest activity first.
    ///
    /// - Parameter query: a part of a title or of a member's name, or nil for all.
    public func conversations(query: String? = nil) throws(NodeError) -> [ConversationDescription] {
        let wanted = query?.lowercased()
        return try replicas.values
            .filter { replica in
                guard let wanted else { return true }
                return title(of: replica).lowercased().contains(wanted)
                    || replica.group.members.contains { contacts[$0.user].name.lowercased().contains(wanted) }
            }
            .sorted { ($0.lastActivity, $0.id) > ($1.lastActivity, $1.id) }
            .map { replica throws(NodeError) in try describe(replica) }
    }

    /// One conversation, by id, unique prefix or unique name.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func conversation(_ text: String) throws(NodeError) -> ConversationDescription {
        try describe(try replica(named: text))
    }

    func describe(_ replica: Replica) throws(NodeError) -> ConversationDescription {
        let group = replica.group
        let last: StoredMessage?
        let unread: Int
        do throws(StoreError) {
            last = try store.messages(in: replica.id, before: nil, after: nil, limit: 1).last
            unread = try store.unreadCount(in: replica.id, for: me)
        } catch {
            throw NodeError(error)
        }
        let readers = core.readers(of: replica.id)
        let members = group.members.map { member in
            let person = contacts[member.user]
            return MemberDescription(
                user: member.user.description, name: person.name, role: replica.isDirect ? "member" : member.tier.name,
                presence: presence(of: person), lastSeen: person.lastSeen.map(Clock.text),
                joinedAt: member.joinedAt.map(Clock.text), addedBy: member.addedBy?.description,
                verified: person.isVerified, canRead: readers.contains(member.user))
        }
        let invites = group.openInvites
        let mine = group.members.first { $0.user == me }
        return ConversationDescription(
            id: replica.id.description, kind: replica.isDirect ? "direct" : "group", title: title(of: replica),
            name: group.name, description: group.description, members: members, memberCount: members.count,
            invited: invites.map {
                InvitedDescription(
                    user: $0.target.description, name: contacts[$0.target].name, invitedBy: $0.inviter.description)
            },
            me: ConversationDescription.Me(
                role: mine.map { replica.isDirect ? "member" : $0.tier.name }, joinedAt: mine?.joinedAt.map(Clock.text),
                isMember: mine != nil,
                invitedBy: invites.filter { $0.target == me }.map(\.inviter.description)),
            actingAdmin: group.actingAdmin?.description, archived: group.isArchived, unread: unread,
            lastMessage: try last.map { message throws(NodeError) in try describe(message, in: replica) },
            lastActivity: replica.lastActivity > 0 ? Clock.text(replica.lastActivity) : nil,
            sync: isSynced(replica) ? "synced" : "pending", keepDays: core.retentions[replica.id])
    }

    /// Whether everything this user wrote is on another host too.
    private func isSynced(_ replica: Replica) -> Bool {
        let own = replica.log.contentFrontier.sequenceNumber(of: core.device.id)
        return own == 0
            || (core.holders[replica.id] ?? [:]).values.contains { $0 >= own }
    }

    func presence(of person: People.Person) -> String {
        person.isOnline || person.user == me ? "online" : "offline"
    }
}
