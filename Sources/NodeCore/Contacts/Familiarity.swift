import Conversations
import OperationLog
import Replication
import Storage

/// Whom the user has to do with, and where: what tells a stranger from somebody familiar.
struct Familiarity {
    /// Devices whose addresses the user entered.
    var contactDevices: Set<DeviceID> = []
    /// People the node is looking for at the addresses of their contact codes.
    var sought: Set<UserID> = []
    /// The conversations in which the user is known to have taken part.
    var joined: Set<ConversationID> = []
    /// The conversations that the user waits to join by a code.
    var awaited: Set<ConversationID> = []
    /// The conversations of which nothing is kept: the user left and erased them.
    var erased: Set<ConversationID> = []
}

extension NodeContext {
    /// Whether the user entered a code of a person.
    func isContact(_ user: UserID) -> Bool {
        contacts[user].identity?.devices.contains { familiarity.contactDevices.contains($0.device.id) } == true
    }

    /// Whether the user said who a person is.
    func isKnown(_ user: UserID) -> Bool {
        user == me || contacts[user].isVerified || familiarity.sought.contains(user) || isContact(user)
    }

    /// Whether a person keeps a connection whoever else comes: the user takes part in a conversation with them, or said
    /// who they are.
    ///
    /// That somebody is in a conversation which others brought says nothing: a key costs nothing, and a stranger's
    /// group may have 256 people.
    func isFamiliar(_ user: UserID) -> Bool {
        isKnown(user) || familiarity.joined.contains { replicas[$0]?.group.isMember(user) == true }
    }

    /// Whether a device is one of a person who is familiar.
    ///
    /// - Complexity: O(1) for a device that was never heard of, else O(conversations of the user).
    func isFamiliar(_ device: DeviceID) -> Bool { contacts.owner(of: device).map(isFamiliar) ?? false }

    /// Who wants the user in a group, while the user has not answered.
    func requesters(into replica: Replica) -> [UserID] {
        guard replica.group.isMember(me) else {
            return replica.group.openInvites(of: me).map(\.inviter)
        }
        guard awaitsConsent(replica) else { return [] }
        return replica.group.members.filter { $0.user == me }.compactMap(\.addedBy)
    }

    /// Whether the user took no part in a conversation, and whoever brought them into it is nobody they know, or they
    /// want to be asked.
    mutating func isUnaccepted(_ replica: Replica) -> Bool {
        guard !familiarity.awaited.contains(replica.id) else { return false }
        recordParticipation(in: replica)
        guard !familiarity.joined.contains(replica.id) else { return false }
        guard !awaitsConsent(replica) else { return true }
        let introducers: [UserID] =
            switch replica.log.root {
            case .direct(let first, let second): [first == me ? second : first]
            case .group:
                replica.group.members.filter { $0.user == me }.compactMap(\.addedBy) + requesters(into: replica)
            }
        return !introducers.contains { isFamiliar($0) }
    }

    /// Whether the user takes part in a conversation.
    mutating func takesPart(in replica: Replica) -> Bool {
        if replica.operationCount > 0 { recordParticipation(in: replica) }
        return familiarity.joined.contains(replica.id)
    }

    /// Notes the conversations in which the user has come to take part.
    mutating func recordParticipation() {
        for replica in replicas.values where replica.operationCount > 0 { recordParticipation(in: replica) }
    }

    /// Notes whether the user has come to take part in a conversation: they agreed to be in it, or made themselves a
    /// member. That they wrote or read there is noted when they do.
    ///
    /// What their device writes by itself, a complaint about a key, is nothing that they did.
    private mutating func recordParticipation(in replica: Replica) {
        guard !familiarity.joined.contains(replica.id) else { return }
        let adding = replica.group.adding(of: me)
        let isMine = !replica.isDirect && replica.group.isMember(me) && adding == nil
        let hasAgreed = adding.map { $0 == preferences(of: replica.id).consentsTo } ?? false
        if isMine || hasAgreed { familiarity.joined.insert(replica.id) }
    }

    /// Whether the disk says that the user took part in a conversation: they wrote or read there, on any of their
    /// devices.
    func isParticipationKept(in replica: Replica) throws(StoreError) -> Bool {
        // Most of what takes part was read: then nobody's chain is walked back.
        if try !storage.readMarks(in: replica.id).isEmpty { return true }
        return speakers.contains { lastSaid(by: $0, in: replica) != nil }
    }

    /// The devices on which the user speaks, or did before they retired them. One that was revoked is in other hands.
    private var speakers: Set<DeviceID> {
        let person = contacts[me]
        let retired = person.tombstones.all.filter { $0.kind == .retired }.map(\.device)
        return Set(person.devices.map(\.device.id)).union(retired).union([device.id])
    }

    /// Whether the user wrote some of these operations.
    ///
    /// What their device writes by itself, such as keys, is nothing that they said.
    func hasSpoken(in operations: [AdmittedOperation]) -> Bool {
        let said = operations.lazy.map(\.operation).filter {
            $0.author.user == me && $0.header.lane == .content && $0.header.type.isClosed
        }
        guard !said.isEmpty else { return false }
        let speakers = speakers
        return said.contains { speakers.contains($0.author.id) }
    }
}
