import Blobs
import Conversations
import Cryptography
import Membership
import OperationLog
import Storage
import Time

extension NodeCore {
    /// Creates a group of this user and at least two others, at once and also offline.
    ///
    /// - Parameters:
    ///   - name: 1 to 50 characters after trimming, or nil to call the group by its members.
    ///   - others: the members besides this user.
    /// - Returns: the new conversation.
    /// - Throws: `too_few_participants`, `too_many_participants`, `name_invalid`, `unknown_person`, `deleted_person`,
    ///   `duplicate_participant`, `identity_deleted`, `disk_full`, `storage_failed`.
    public mutating func createGroup(
        name: String?, members others: [UserID], at moment: Moment
    ) throws(NodeError) -> ConversationID {
        self.moment = moment
        try requireIdentity()
        let name = try name.map { name throws(NodeError) in try Self.accept(groupName: name) }
        try checkDistinct(others)
        guard others.count >= 2 else {
            throw NodeError(
                .tooFewParticipants, "Please select at least 2 other users to create a group chat",
                hint: "Use 'moot direct' to talk to one person.")
        }
        guard others.count < Group.capacity else {
            throw NodeError(.tooManyParticipants, "A group has at most \(Group.capacity) members")
        }
        let people = try others.map { user throws(NodeError) in try credentials(of: user) }
        let nonce = random.bytes(MembershipBody.nonceByteCount)
        let body = MembershipBody.create(nonce: nonce, founder: ownCredentials)
        let create = ConversationLog.creation(body: body.encoded, by: keys.author, at: moment.wall)
        let id = ConversationID(createdBy: create.id)
        let authority = MembershipBody.Authority.grant(operation: create.id, slot: 0)
        var bodies = Self.chunks(of: people).map { MembershipBody.add(under: authority, targets: $0) }
        if let name { bodies.append(.set(under: authority, field: Group.nameField, value: name)) }
        do throws(NodeError) {
            let empty = Replica(conversation: id, root: .group)
            try write(in: empty, introducing: true) { log, author, time throws(MalformedBytes) in
                let created = try log.begin(with: create)
                return [created] + (try log.write(membership: bodies.map(\.draft), by: author, at: time))
            }
        } catch {
            throw error.asFailedCreation
        }
        return id
    }

    /// The direct conversation with a person, or the notes to oneself, begun on first use. Nobody else hears of it
    /// before its first message.
    ///
    /// - Throws: `identity_deleted` and `deleted_person` where it would begin now, `disk_full`,
    ///   `storage_failed`.
    public mutating func openDirect(with other: UserID, at moment: Moment) throws(NodeError) -> ConversationID {
        self.moment = moment
        let id = ConversationID(directBetween: me, and: other)
        let root = ConversationRoot.direct(min(me, other), max(me, other))
        let hasBegun = replicas[id].map { $0.operationCount > 0 } ?? false
        if !hasBegun {
            try requireIdentity()
            try requireNotDeleted(other)
        }
        takePart(in: id)
        guard !hasBegun else { return id }
        do throws(StoreError) {
            try storage.open(id, root: root, at: moment.wall)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        if let replica = replicas[id] {
            // Somebody may have told of a group of that name, which cannot exist: nothing of it is here.
            if replica.log.root != root { open(Replica(conversation: id, root: root)) }
        } else {
            begin(Replica(conversation: id, root: root))
        }
        keepFormerStrangers { $0 == other }
        dialResting(of: [other])
        return id
    }

    /// Adds people to a group; they are members at once.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `already_in_group`, `unknown_person`,
    ///   `deleted_person`, `duplicate_participant`, `too_many_participants`, `not_a_participant`, `invalid_request`
    ///   (nobody), `invalid_operation` (a direct conversation).
    public mutating func add(
        _ targets: [UserID], to conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        try checkDistinct(targets)
        guard !targets.isEmpty else { throw NodeError(.invalidRequest, "Name at least one person to add") }
        for target in targets where replica.group.isMember(target) {
            throw NodeError(.alreadyInGroup, "\(contacts[target].name) is already in the group")
        }
        for target in targets where replica.group.isWaiting(target) {
            throw NodeError(.alreadyInGroup, "\(contacts[target].name) waits for room in the group")
        }
        guard replica.group.members.count + targets.count <= Group.capacity else {
            throw NodeError(.tooManyParticipants, "A group has at most \(Group.capacity) members")
        }
        let people = try targets.map { user throws(NodeError) in try credentials(of: user) }
        try decide(in: replica) { authority in
            Self.chunks(of: people).map { .add(under: authority, targets: $0) }
        }
    }

    /// Takes a person out of a group. What they sent until now stays; what they send on reaches nobody.
    ///
    /// - Parameter archive: whether to go on when only one member would remain.
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `already_removed`, `would_archive`,
    ///   `not_a_participant`, `invalid_operation`.
    public mutating func remove(
        _ target: UserID, from conversation: ConversationID, archive: Bool = false, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        guard target != me else { throw Self.ownRemoval }
        guard replica.group.isMember(target) || replica.group.isWaiting(target) else {
            throw NodeError(.alreadyRemoved, "\(contacts[target].name) is not in the group (already removed)")
        }
        try checkArchiving(replica, allowed: archive)
        let pins = replica.pins(on: target)
        try decide(in: replica) { [.remove(under: $0, target: target, pins: pins)] }
    }

    static let ownRemoval = NodeError(
        .invalidOperation, "This operation is not allowed: nobody removes themselves",
        hint: "Use 'moot leave' to leave a group.")

    /// Gives a person a role: a higher one is a promotion, a lower one a demotion, of oneself a step down.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `unknown_person`, `last_admin`,
    ///   `invalid_request` (founder), `invalid_operation`.
    public mutating func setRole(
        of target: UserID, in conversation: ConversationID, to role: Role, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        guard role < .founder else {
            throw NodeError(
                .invalidRequest, "There is no role \"\(role.name)\" to give",
                hint: "Roles are member, moderator and admin.")
        }
        guard let current = replica.group.role(of: target) else {
            throw NodeError(.unknownPerson, "\(contacts[target].name) is not in the group")
        }
        if target == me, role < current {
            try stepDown(to: role, in: replica)
        } else if current != role {
            try decide(in: replica) { authority in
                current < role
                    ? [.promote(under: authority, target: target, role: role)]
                    : [.demote(under: authority, target: target, role: role)]
            }
        }
    }

    private mutating func stepDown(to role: Role, in replica: Replica) throws(NodeError) {
        guard role == .member else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: stepping down leaves you a member",
                hint: "Step down to member, or ask another admin.")
        }
        guard replica.group.members.contains(where: { $0.user != me && $0.role >= .admin }) else {
            throw NodeError(
                .lastAdmin, "You are the last admin of this group", hint: "Make somebody else admin first.")
        }
        try write([.stepdown], in: replica.id)
    }

    /// What becomes of a group's photo.
    public enum PhotoChange: Hashable, Sendable {
        /// It is this one, whose files were put in.
        case set(PhotoReference)
        /// There is none.
        case remove
    }

    /// Changes the name, the description, the photo or settings of a group. What has its value already is not written
    /// again.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `name_invalid`, `description_invalid`,
    ///   `invalid_request` (an unknown setting, or nothing at all).
    public mutating func set(
        name: String?, description: String?, photo: PhotoChange? = nil, settings: [String: String] = [:],
        of conversation: ConversationID, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        var fields: [(String, String)] = []
        if let name { fields.append((Group.nameField, try Self.accept(groupName: name))) }
        if let description {
            guard description.count <= Group.maximumDescriptionLength,
                description.utf8.count <= MembershipBody.maximumValueBytes
            else {
                throw NodeError(
                    .descriptionInvalid, "A description has at most \(Group.maximumDescriptionLength) characters")
            }
            fields.append((Group.descriptionField, description))
        }
        switch photo {
        case .set(let photo): fields.append((Group.photoField, GroupPhoto.value(photo)))
        case .remove: fields.append((Group.photoField, GroupPhoto.value(nil)))
        case nil: break
        }
        for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
            guard Group.settings[key]?.contains(value) == true else {
                throw NodeError(
                    .invalidRequest, "There is no setting \(key)=\(value)",
                    hint: "Settings: "
                        + Group.settings.sorted { $0.key < $1.key }
                        .map { "\($0.key) (\($0.value.joined(separator: " or ")))" }.joined(separator: ", "))
            }
            fields.append((key, value))
        }
        guard !fields.isEmpty else { throw NodeError(.invalidRequest, "Nothing to change") }
        try requireMembership(in: replica)
        let bodies = { (authority: MembershipBody.Authority) in
            fields.map { MembershipBody.set(under: authority, field: $0.0, value: $0.1) }
        }
        let authority = try authority(for: bodies, in: replica)
        fields.removeAll { replica.group.holds($0.1, in: $0.0) }
        guard !fields.isEmpty else { return }
        try write(in: replica, under: authority, bodies)
    }

    /// Leaves a group.
    ///
    /// - Parameters:
    ///   - successor: whom to make admin first; needed from the last admin.
    ///   - force: whether the last admin leaves without one, so that the oldest member takes over.
    ///   - archive: whether to go on when only one member would remain.
    /// - Throws: `conversation_not_found`, `cannot_leave_direct`, `last_admin`, `would_archive`, `not_a_participant`,
    ///   `unknown_person`, `insufficient_permissions`.
    public mutating func leave(
        _ conversation: ConversationID, successor: UserID? = nil, force: Bool = false, archive: Bool = false,
        at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        try requireIdentity()
        let replica = try replica(conversation)
        guard !replica.isDirect else { throw NodeError(.cannotLeaveDirect, "Cannot leave direct conversations") }
        guard replica.group.isMember(me) || replica.group.isWaiting(me) else {
            throw NodeError(
                .notAParticipant, "You are not a participant in this conversation",
                hint: "Ask a moderator or an admin of the group to add you.")
        }
        try checkArchiving(replica, allowed: archive)
        let admins = replica.group.members.filter { $0.role >= .admin }.map(\.user)
        var bodies: [MembershipBody] = []
        if let successor {
            guard successor != me, let role = replica.group.role(of: successor) else {
                throw NodeError(.unknownPerson, "\(contacts[successor].name) cannot be the successor")
            }
            if role < .admin {
                let promotion = { [MembershipBody.promote(under: $0, target: successor, role: .admin)] }
                bodies += promotion(try authority(for: promotion, in: replica))
            }
        } else if admins == [me], replica.group.members.count > 1, !force {
            throw NodeError(
                .lastAdmin, "You are the last admin of this group",
                hint: "Choose a successor with --successor PERSON, or let the oldest member take over with --force.")
        }
        bodies.append(.leave(pins: replica.pins(on: me)))
        try write(bodies, in: replica.id)
    }

    // MARK: - Looking up

    /// A conversation by its id.
    func replica(_ id: ConversationID) throws(NodeError) -> Replica {
        guard let replica = replicas[id] else {
            throw NodeError(
                .conversationNotFound, "Conversation not found", hint: "'moot list' shows all conversations.")
        }
        return replica
    }

    /// A conversation that is a group, in which this user wants to change something.
    func group(_ id: ConversationID) throws(NodeError) -> Replica {
        try requireIdentity()
        let replica = try replica(id)
        guard !replica.isDirect else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: a direct conversation has no members to manage",
                hint: "Make a group for it: moot create")
        }
        return replica
    }

    private func checkDistinct(_ people: [UserID]) throws(NodeError) {
        var seen: Set<UserID> = [me]
        for user in people where !seen.insert(user).inserted {
            throw NodeError(.duplicateParticipant, "\(contacts[user].name) is named twice or is yourself")
        }
    }

    /// What brings a person into a group.
    ///
    /// - Throws: `deleted_person`, `unknown_person`.
    func credentials(of user: UserID) throws(NodeError) -> Credentials {
        try requireNotDeleted(user)
        guard let credentials = contacts[user].credentials else {
            throw NodeError(
                .unknownPerson, "Nothing is known of the devices of \(contacts[user].name)",
                hint: "Wait until the person's node has been seen on the network.")
        }
        return credentials
    }

    private static func accept(groupName: String) throws(NodeError) -> String {
        do throws(DisplayName.Fault) {
            return try DisplayName.chosen(groupName).text
        } catch {
            throw NodeError(.nameInvalid, error.sentence(about: "A group name"))
        }
    }

    /// People in groups that fit one operation each.
    private static func chunks(of people: [Credentials]) -> [[Credentials]] {
        var chunks: [[Credentials]] = []
        var room = 0
        for person in people {
            let size = person.encoded.count
            if size > room {
                chunks.append([])
                room = Limits.maximumBodyBytes - 128
            }
            chunks[chunks.count - 1].append(person)
            room -= size
        }
        return chunks
    }
}

extension MembershipBody {
    /// The body with its type, ready to be linked into the lane.
    var draft: ConversationLog.Draft { ConversationLog.Draft(type: type, body: encoded) }
}

extension Replica {
    /// The last content operation seen of each of a person's devices; where a chain is forked, the last of the longest
    /// branch: nothing asks for more than how far a chain counts.
    func pins(on user: UserID) -> [Pin] {
        Pin.fitting(
            group.devices(of: user).compactMap { device in
                (log.contentFrontier.tips[device]?.last).map {
                    Pin(device: device, sequenceNumber: $0.sequenceNumber, operation: $0.id)
                }
            })
    }
}
