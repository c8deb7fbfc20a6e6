import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Whom the user does not want to hear: durable, sealed on disk, and told to nobody but the user's other devices.
///
/// It decides what is shown and nothing else. Membership, replication and serving are as for everybody: all replicas
/// stay equal, and nothing is lost for who unblocks somebody.
extension NodeCore {
    /// The people who are blocked.
    public var blocked: Set<UserID> { context.privateState.blocks.marked }

    /// Whether a person is blocked.
    public func isBlocked(_ user: UserID) -> Bool { context.isBlocked(user) }

    /// The messages among operations that others wrote and that the user is shown.
    ///
    /// What has no body is for others, or not here yet.
    ///
    /// - Complexity: O(operations).
    public mutating func news(
        among operations: [AdmittedOperation], in conversation: ConversationID
    ) -> [Operation] {
        let me = me
        return operations.compactMap { entry in
            let operation = entry.operation
            let author = operation.author.user
            guard operation.header.type == .message, operation.body != nil, author != me, !isBlocked(author),
                !isCutOff(operation, in: conversation)
            else { return nil }
            return operation
        }
    }

    /// Whether the user hears of what a person does to them in a group: of somebody whom they blocked only where they
    /// took part.
    public func isHeard(_ user: UserID, in replica: Replica) -> Bool {
        !isBlocked(user) || context.familiarity.joined.contains(replica.id)
    }

    /// Whether a conversation was erased, is one with a blocked person alone, or one that only blocked people ask the
    /// user into, or brought them into and out of: it is not listed.
    public func isHidden(_ replica: Replica) -> Bool {
        if isErased(replica) { return true }
        switch replica.log.root {
        case .direct(let first, let second):
            return isBlocked(first == me ? second : first)
        case .group:
            let asking = requesters(into: replica)
            guard asking.isEmpty else { return asking.allSatisfy(isBlocked) }
            guard !replica.group.isMember(me), !blocked.isEmpty else { return false }
            let adding = replica.group.systemMessages.last { message in
                switch message.action {
                case .added(let people), .welcomed(let people): people.contains(me)
                default: false
                }
            }
            return adding.map { !isHeard($0.actor, in: replica) } ?? false
        }
    }

    /// Blocks a person, or takes it back.
    ///
    /// - Throws: `invalid_operation` for the user themselves or when the list is full, `disk_full`, `storage_failed`.
    public mutating func setBlocked(_ isBlocked: Bool, of user: UserID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        guard user != me else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: this person is you",
                hint: "Name somebody else: 'moot people list' shows whom you know.")
        }
        guard self.isBlocked(user) != isBlocked else { return }
        // The groups they are in already stay theirs. First, so that none is gone if the disk fails in between.
        for replica in replicas.values.sorted(by: { $0.id < $1.id })
        where isBlocked && replica.group.members.contains(where: { $0.user == me && $0.addedBy == user }) {
            if !awaitsConsent(replica) { try consent(in: replica) }
        }
        guard
            let changes = context.privateState.blocks.changes(marking: user, isBlocked, at: moment.wall, by: device.id)
        else {
            throw NodeError(
                .invalidOperation, "This operation is not allowed: the list of blocked people is full",
                hint:
                    "Leave the groups you share instead. A node remembers \(PersonMarks.maximumPeople) people who were blocked at some time."
            )
        }
        do throws(StoreError) {
            try save(blocks: changes)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        blockChanged(of: user)
        tellPrivate(.changed([PrivateSubject(.block, of: user)], by: nil))
    }

    /// Brings about what follows from a person being blocked, or not any more.
    mutating func blockChanged(of user: UserID) {
        let isBlocked = isBlocked(user)
        keepFormerStrangers { $0 == user && isBlocked }
        show(.person(user))
        welcomeChanged()
        for (conversation, replica) in replicas.sorted(by: { $0.key < $1.key })
        where replica.group.isMember(user) {
            show(.typing(conversation))
            show(.conversation(conversation))
        }
    }

    /// Refuses to write to a blocked person alone.
    func requireOtherNotBlocked(in replica: Replica) throws(NodeError) {
        guard case .direct(let first, let second) = replica.log.root else { return }
        let other = first == me ? second : first
        guard isBlocked(other) else { return }
        // By id: others choose their names, which could be more than a name to whose shell the command is pasted.
        throw NodeError(
            .invalidOperation, "You have blocked \(contacts[other].name)",
            hint: "To write to the person: moot people unblock \(other.description.prefix(16))")
    }
}
