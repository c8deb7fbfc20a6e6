import LocalAPIModel
import Membership
import NodeCore
import OperationLog
import Time

extension Node {
    /// Creates a group of this user and at least two others, at once and also offline.
    ///
    /// - Parameters:
    ///   - name: 1 to 50 characters after trimming, or nil to call the group by its members.
    ///   - members: ids, unique id prefixes or unique names.
    /// - Throws: `too_few_participants`, `too_many_participants`, `name_invalid`, `unknown_person`, `ambiguous_name`,
    ///   `duplicate_participant`, `disk_full`, `storage_failed`.
    public func createGroup(name: String?, members: [String]) throws(NodeError) -> ConversationDescription {
        let others = try people(named: members)
        return try describe(
            try change { core, moment throws(NodeError) in
                try core.createGroup(name: name, members: others, at: moment)
            })
    }

    /// The direct conversation with a person, begun on first use. They hear of it with the first message.
    ///
    /// - Throws: `unknown_person`, `ambiguous_name`, `invalid_operation`, `disk_full`, `storage_failed`.
    public func openDirect(with person: String) throws(NodeError) -> ConversationDescription {
        let other = try self.person(named: person)
        return try describe(
            try change { core, moment throws(NodeError) in try core.openDirect(with: other, at: moment) })
    }

    /// Adds people to a group; they are members at once.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `already_in_group`, `unknown_person`,
    ///   `too_many_participants`, `not_a_participant`, `invalid_operation` (a direct conversation).
    public func add(_ people: [String], to conversation: String) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        let targets = try self.people(named: people)
        try change { core, moment throws(NodeError) in try core.add(targets, to: id, at: moment) }
        return try describe(id)
    }

    /// Takes a person out of a group. What they sent until now stays; what they send on reaches nobody.
    ///
    /// - Parameters:
    ///   - since: a time of RFC 3339 that is over, from which on what they did is taken back as well; nil to take
    ///     nothing back.
    ///   - archive: whether to go on when only one member would remain.
    /// - Throws: `conversation_not_found`, `unknown_person`, `ambiguous_name`, `insufficient_permissions`, `outranked`,
    ///   `already_removed`, `would_archive`, `not_a_participant`, `invalid_operation`, `invalid_request`; `disk_full`,
    ///   `storage_failed`.
    public func remove(
        _ person: String, from conversation: String, since: String? = nil, archive: Bool = false
    ) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        let target = try self.person(named: person)
        let begin = try since.map { text throws(NodeError) in try Self.pastTime(text) }
        try change { core, moment throws(NodeError) in
            if let begin {
                try core.remove(target, from: id, since: begin, archive: archive, at: moment)
            } else {
                try core.remove(target, from: id, archive: archive, at: moment)
            }
        }
        return try describe(id)
    }

    /// What removing a person with what they did since a time would take away.
    ///
    /// - Parameter since: a time of RFC 3339 that is over.
    /// - Throws: as ``remove(_:from:since:archive:)``, but for `would_archive`.
    public func removalLosses(
        of person: String, from conversation: String, since: String
    ) throws(NodeError) -> RemovalLossesDescription {
        let id = try group(named: conversation).id
        let target = try self.person(named: person)
        let losses = try core.losses(byRemoving: target, from: id, since: Self.pastTime(since))
        return RemovalLossesDescription(
            decisions: losses.decisions, messages: losses.messages, kept: losses.kept,
            leaving: losses.leaving.map { describe(contacts[$0]) },
            returning: losses.returning.map { describe(contacts[$0]) })
    }

    private static func pastTime(_ text: String) throws(NodeError) -> Timestamp {
        guard let time = Clock.time(text) else {
            throw NodeError(
                .invalidRequest, "\"\(text.prefix(64))\" is no time", hint: "Write it like 2026-11-21T09:30:00Z.")
        }
        guard time <= Clock.now else {
            throw NodeError(
                .invalidRequest, "\(Clock.text(time.milliseconds)) is still to come", hint: "Name an earlier time.")
        }
        return time
    }

    /// Gives a person a role: a higher one is a promotion, a lower one a demotion, of oneself a step down.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `unknown_person`,
    ///   `invalid_operation`.
    public func setRole(
        of person: String, in conversation: String, to role: String
    ) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        let target = try self.person(named: person)
        guard let newRole = Role(name: role), newRole < .founder else {
            throw NodeError(
                .invalidRequest, "There is no role \"\(role)\"", hint: "Roles are member, moderator and admin.")
        }
        try change { core, moment throws(NodeError) in try core.setRole(of: target, in: id, to: newRole, at: moment) }
        return try describe(id)
    }

    /// Changes the name, the description, the photo or settings of a group.
    ///
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `name_invalid`, `description_invalid`,
    ///   `invalid_request`.
    public func set(
        name: String?, description: String?, photo: NodeCore.PhotoChange? = nil, settings: [String: String] = [:],
        of conversation: String
    ) throws(NodeError) -> ConversationDescription {
        let id = try group(named: conversation).id
        try change { core, moment throws(NodeError) in
            try core.set(
                name: name, description: description, photo: photo, settings: settings, of: id, at: moment)
        }
        return try describe(id)
    }

    /// Leaves a group.
    ///
    /// - Parameters:
    ///   - successor: whom to make admin first; needed from the last admin.
    ///   - force: whether the last admin leaves without one, so that the oldest member takes over.
    ///   - archive: whether to go on when only one member would remain.
    /// - Throws: `cannot_leave_direct`, `last_admin`, `would_archive`, `not_a_participant`, `unknown_person`.
    public func leave(
        _ conversation: String, successor: String? = nil, force: Bool = false, archive: Bool = false
    ) throws(NodeError) -> ConversationDescription {
        let id = try replica(named: conversation).id
        let next = try successor.map { name throws(NodeError) in try person(named: name) }
        try change { core, moment throws(NodeError) in
            try core.leave(id, successor: next, force: force, archive: archive, at: moment)
        }
        return try describe(id)
    }

    /// Keeps the messages of a conversation for so many days on this node, or forever; what is older goes within
    /// seconds.
    ///
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_request`, `disk_full`, `storage_failed`.
    public func keep(_ conversation: String, days: Int?) throws(NodeError) -> ConversationDescription {
        let id = try replica(named: conversation).id
        try change { core, moment throws(NodeError) in try core.keep(id, days: days, at: moment) }
        return try describe(id)
    }

    /// Erases a group that the user is not in any more: its texts, files and keys, and what the user kept about it. The
    /// last of it goes within seconds, also where the node is stopped meanwhile: then after its next start.
    ///
    /// - Returns: the group as it was.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_operation` where the user is a member or is asked
    ///   to be one, and for a direct conversation; `disk_full`, `storage_failed`.
    public func erase(_ conversation: String) throws(NodeError) -> ConversationDescription {
        let id = try replica(named: conversation).id
        let known = try describe(id)
        try change { core, moment throws(NodeError) in try core.erase(id, at: moment) }
        settleNotification(of: id)
        return known
    }

    private func people(named names: [String]) throws(NodeError) -> [UserID] {
        try names.map { name throws(NodeError) in try person(named: name) }
    }

    func describe(_ id: ConversationID) throws(NodeError) -> ConversationDescription {
        try conversation(id.description)
    }
}
