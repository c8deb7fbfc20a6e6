import Blobs
import Conversations
import LocalAPIModel
import Membership
import NodeCore
import OperationLog
import Replication
import SQLiteStore
import Storage
import Time

extension Node {
    /// Conversations, the pinned ones first, then the latest activity.
    ///
    /// - Parameters:
    ///   - after: the id of the conversation after which they begin; nil for the first.
    ///   - limit: how many, at most.
    ///   - members: how many members and invited people of each are told, the first; nil for all.
    /// - Throws: `conversation_not_found` if `after` is none of them; `disk_full`, `storage_failed`.
    public func conversations(
        _ filter: ConversationFilter = ConversationFilter(), after: String? = nil, limit: Int = .max,
        members: Int? = nil
    ) throws(NodeError) -> [ConversationDescription] {
        let overviews: [ConversationID: ConversationOverview]
        do throws(StoreError) {
            overviews = try self.overviews()
        } catch {
            throw NodeError(error)
        }
        // Each replica is looked at once, and what is sorted is small: copying replicas took most of the time.
        var wanted: [Replica] = []
        var order: [(pin: Int, activity: Int64, id: ConversationID, place: Int)] = []
        // Taken out of the node once: each look at it there copies all its parts.
        let core = core
        for replica in core.replicas.values {
            guard matches(replica, filter, in: core) else { continue }
            let isPinned = core.preferences(of: replica.id).isPinned
            order.append((isPinned ? 1 : 0, replica.lastActivity, replica.id, wanted.count))
            wanted.append(replica)
        }
        order.sort { ($0.pin, $0.activity, $0.id) > ($1.pin, $1.activity, $1.id) }
        var rest = order[...]
        if let after {
            guard let last = order.firstIndex(where: { $0.id.description == after }) else {
                throw NodeError(
                    .conversationNotFound, "The last conversation of the page before is not in the list any more",
                    hint: "Begin again with the first page.")
            }
            rest = order[(last + 1)...]
        }
        var people: [UserID: MemberDescription] = [:]
        return try rest.prefix(limit).map { entry throws(NodeError) in
            try describe(
                wanted[entry.place], overviews[entry.id] ?? ConversationOverview(), active: entry.activity,
                awaitsAnswer: filter.part == .requests, in: core, members: members ?? .max, knowing: &people)
        }
    }

    private static func part(of replica: Replica, in core: NodeCore) -> ConversationFilter.Part {
        if core.isRequest(replica) { return .requests }
        return core.isArchived(replica) ? .archived : .current
    }

    private func matches(_ replica: Replica, _ filter: ConversationFilter, in core: NodeCore) -> Bool {
        guard Self.part(of: replica, in: core) == filter.part, !core.isHidden(replica) else { return false }
        if let tag = filter.tag, !core.preferences(of: replica.id).tags.contains(where: { $0.text == tag }) {
            return false
        }
        guard let wanted = filter.query?.lowercased() else { return true }
        return title(of: replica).lowercased().contains(wanted)
            || replica.group.members.contains { contacts[$0.user].name.lowercased().contains(wanted) }
    }

    /// One conversation, by id, unique prefix or unique name.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`.
    public func conversation(_ text: String) throws(NodeError) -> ConversationDescription {
        let replica = try replica(named: text)
        var conversation = try describe(replica)
        if conversation.unread > 0 { conversation.firstUnread = try firstUnread(in: replica)?.description }
        return conversation
    }

    /// A page of the members of a conversation, the most senior first.
    ///
    /// - Parameter after: the last member of the page before; nil for the first page.
    /// - Throws: `conversation_not_found`, `ambiguous_name`; `unknown_person` if that member is none any more.
    public func members(
        of conversation: String, after: String? = nil, limit: Int = APILimits.defaultMemberPageSize
    ) throws(NodeError) -> MemberPage {
        let replica = try replica(named: conversation)
        let members = replica.group.members
        var rest = members[...]
        if let after {
            guard let last = members.firstIndex(where: { $0.user.description == after }) else {
                throw NodeError(
                    .unknownPerson, "The last member of the page before is not in the conversation any more",
                    hint: "Begin again with the first page.")
            }
            rest = members[(last + 1)...]
        }
        let page = rest.prefix(limit)
        var people: [UserID: MemberDescription] = [:]
        return MemberPage(
            members: describe(page, of: replica, in: core, knowing: &people), memberCount: members.count,
            next: page.count < rest.count ? page.last?.user.description : nil)
    }

    /// - Parameter people: what was said of somebody as a member of another conversation: most of it is the same in
    ///   all.
    private func describe(
        _ members: ArraySlice<Group.Member>, of replica: Replica, in core: NodeCore,
        knowing people: inout [UserID: MemberDescription]
    ) -> [MemberDescription] {
        members.map { member in
            var description = people[member.user] ?? describe(member.user, in: core)
            people[member.user] = description
            description.role = replica.isDirect ? .member : MemberDescription.Role(member.role)
            description.joinedAt = member.joinedAt.map(Clock.text)
            description.addedBy = member.addedBy.map { people[$0]?.user ?? $0.description }
            description.canRead = replica.group.reaches(member.user)
            return description
        }
    }

    /// Describes a person as a member, without what differs between conversations.
    private func describe(_ user: UserID, in core: NodeCore) -> MemberDescription {
        let person = core.contacts[user]
        return MemberDescription(
            user: user.description, name: person.name, role: .member, presence: presence(of: person),
            lastSeen: person.lastSeen.map(Clock.text), verified: person.isVerified, blocked: core.isBlocked(user),
            deleted: person.isDeleted, photo: photo(of: person), canRead: false)
    }

    func describe(_ replica: Replica) throws(NodeError) -> ConversationDescription {
        let overview: ConversationOverview
        do throws(StoreError) {
            overview = try self.overview(of: replica.id)
        } catch {
            throw NodeError(error)
        }
        let core = core
        var people: [UserID: MemberDescription] = [:]
        return try describe(
            replica, overview, active: replica.lastActivity,
            awaitsAnswer: core.isRequest(replica) && !core.isHidden(replica), in: core, knowing: &people)
    }

    private func describe(
        _ replica: Replica, _ overview: ConversationOverview, active lastActivity: Int64, awaitsAnswer: Bool,
        in core: NodeCore, members limit: Int = .max, knowing people: inout [UserID: MemberDescription]
    ) throws(NodeError) -> ConversationDescription {
        let group = replica.group
        let name = group.shownName
        let members = describe(group.members.prefix(limit), of: replica, in: core, knowing: &people)
        let waiting = describe(group.waiting.prefix(limit), of: replica, in: core, knowing: &people)
        let invites = group.openInvites(first: limit)
        let me = core.me
        let mine = group.members.first { $0.user == me }
        let kept = core.preferences(of: replica.id)
        let mute = kept.mute(at: Clock.now)
        return ConversationDescription(
            id: replica.id.description, kind: replica.isDirect ? .direct : .group,
            title: title(of: replica, named: name, in: core),
            name: name, description: group.description, photo: photo(of: replica),
            settings: replica.isDirect ? nil : GroupSettingsDescription(group), members: members,
            memberCount: group.members.count, waiting: waiting.isEmpty ? nil : waiting,
            invited: invites.map {
                InvitedDescription(
                    user: $0.target.description, name: core.contacts[$0.target].name, invitedBy: $0.inviter.description)
            },
            me: ConversationDescription.Me(
                role: mine.map { replica.isDirect ? .member : MemberDescription.Role($0.role) },
                joinedAt: mine?.joinedAt.map(Clock.text),
                isMember: mine != nil, waits: group.isWaiting(me) ? true : nil,
                may: RightsDescription(core.rights(in: replica)), awaitsAnswer: awaitsAnswer,
                invitedBy: group.openInvites(of: me).map(\.inviter).filter { !core.isBlocked($0) }.map(\.description),
                addedBy: mine?.addedBy?.description),
            actingAdmin: group.actingAdmin?.description, archived: core.isArchived(replica), pinned: kept.isPinned,
            mutedUntil: mute.map { $0.end.map { Clock.text($0.milliseconds) } ?? "forever" },
            mentionsOnly: mute?.allowsMentions ?? false, tags: kept.tags.map(\.text), draft: kept.draft,
            receipts: core.sharesReads(in: replica.id),
            unread: overview.unread,
            lastMessage: try overview.last.map { message throws(NodeError) in
                try describe(message, isAnnotated: overview.isAnnotated, in: replica, of: core)
            },
            lastActivity: lastActivity > 0 ? Clock.text(lastActivity) : nil,
            sync: syncState(of: replica.id, in: core), keepDays: core.retentionDays(of: replica.id))
    }

    /// Whether what the user wrote left this host, and what others wrote can be stored on it and is taken.
    private func syncState(of conversation: ConversationID, in core: NodeCore) -> ConversationDescription.SyncState {
        if core.reasonHeldBack(conversation) != nil { return .behind }
        // While operations can be stored, being behind is a matter of moments.
        if storageProblem != nil, [.behind, .pulling].contains(core.replicator.status(of: conversation).state) {
            return .behind
        }
        return core.isHeldElsewhere(conversation) ? .synced : .pending
    }

    /// The photo of a group; nil for none.
    func photo(of replica: Replica) -> FileDescription? {
        replica.group.photo.map { photo in
            var description = describe(
                name: GroupPhoto.fileName, photo.photo.picture, thumbnail: photo.photo.thumbnail)
            description.conversation = replica.id.description
            return description
        }
    }

    func presence(of person: People.Person) -> PersonDescription.Presence {
        person.isOnline || person.user == me ? .online : .offline
    }
}
