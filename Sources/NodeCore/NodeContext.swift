import Conversations
import OperationLog
import Replication
import Storage
import Time

/// What the machines of a node may look at.
///
/// Only ``NodeCore`` changes it. A machine that is handed the context changes nothing in it but what follows from the
/// logs: what replicas remember of views, and in which conversations the user has taken part; or from private state, as
/// it is compared.
struct NodeContext {
    /// The node's own keys.
    let keys: NodeCore.Keys
    /// The log and everything else of it that is on disk.
    let storage: any ReplicaStorage
    /// When the transition under way happens.
    var moment: Moment
    /// What others see of the user.
    var card: ProfileCard
    /// Why the last commit failed, until one succeeds.
    var lastStorageError: StoreError?
    /// The conversations.
    var replicas: [ConversationID: Replica] = [:]
    /// Everybody this node has heard of.
    var contacts = People()
    /// The connections.
    var links = PeerLinks()
    /// The number of the latest connection.
    var lastHandle: UInt64 = 0
    /// An operation by this device that another copy of this home wrote, until the user says that there is no other
    /// copy.
    var copyEvidence: OperationID?
    /// Whether this device is none of its user's yet: its home was recovered or restored.
    var isNewDevice = false
    /// The device whose home was restored here, while this one is none of its user's yet.
    var formerDevice: DeviceID?
    /// What the user keeps to themselves about conversations and people.
    var privateState = PersonalState()
    /// Whom the user has to do with, and where.
    var familiarity = Familiarity()

    /// The node's user.
    var me: UserID { keys.author.device.user }

    /// The node's device.
    var device: Device { keys.author.device }

    /// When the transition under way happens, by the clock that nobody sets.
    var now: Instant { moment.monotonic }

    /// Devices with an established connection.
    var connectedDevices: Set<DeviceID> { Set(links.devices) }

    /// Whether there is an established connection to a device.
    func isConnected(_ device: DeviceID) -> Bool { links.handle(of: device) != nil }

    /// The connection to a device.
    func handle(of device: DeviceID) -> PeerHandle? { links.handle(of: device) }

    /// Whether the user does not want to hear a person.
    func isBlocked(_ user: UserID) -> Bool { privateState.blocks.contains(user) }

    /// What the user keeps to themselves about a conversation.
    func preferences(of conversation: ConversationID) -> ConversationPreferences {
        privateState.conversations[conversation] ?? ConversationPreferences()
    }

    /// Whether the user left a conversation and erased it, and nobody asked them back or brought them back since.
    func isErased(_ replica: Replica) -> Bool {
        familiarity.erased.contains(replica.id) && !replica.group.isMember(me)
            && replica.group.openInvites(of: me).isEmpty
    }

    /// Where what the user keeps to themselves about everything is kept: a direct conversation with themselves.
    var ownConversation: ConversationID { ConversationID(directBetween: me, and: me) }

    /// Whether others learn what the user reads, where they said nothing else.
    var sharesReads: Bool { preferences(of: ownConversation).sharesReads }

    /// Whether others learn what the user reads in a conversation: unless they switched it off there, or everywhere.
    func sharesReads(in conversation: ConversationID) -> Bool {
        sharesReads && preferences(of: conversation).sharesReads
    }

    /// The user's newest record: that of the card, or one that others brought. A home put back from a backup learns
    /// that way of devices that were linked since.
    var countingIdentity: IdentityRecord {
        guard let known = contacts[me].identity, known.supersedes(card.identity) else { return card.identity }
        return known
    }

    /// The record that this device shows: a new device, one that names it alone. A device that the counting record
    /// leaves out shows the last one of the lanes that names it: a holder of the root who is shown that signs one of
    /// both.
    ///
    /// - Complexity: O(1); for a device that was left out, all that was decided in its conversations.
    var shownIdentity: IdentityRecord {
        if isNewDevice { return card.identity }
        guard isLeftOut else { return countingIdentity }
        let last = replicas.values.compactMap { $0.group.lastIdentity(of: me, naming: device.id) }
        return last.max { $1.supersedes($0) } ?? countingIdentity
    }

    /// Whether the counting record does not name this device although no tombstone is known: whoever signed it did not
    /// know of the device.
    var isLeftOut: Bool { !isNewDevice && !isTakenOut && !countingIdentity.certifies(device.id) }

    /// The user's devices: those that their newest record certifies, less those taken out.
    var ownDevices: [IdentityRecord.Entry] {
        let gone = contacts[me].tombstones
        return countingIdentity.devices.filter { gone[$0.device.id] == nil }
    }

    /// Whether a device is one of the user's by the newest record of theirs and the tombstones that are known: an older
    /// record that a device shows may name one that never became a device, or is none any more.
    func isOwn(_ other: Device) -> Bool { other.user == me && contacts[me].devices.contains { $0.device == other } }

    /// Whether this device is one of the user's no more.
    var isTakenOut: Bool { contacts.isTakenOut(device) }

    /// How far this device's own chain goes.
    func written(in replica: Replica) -> UInt64 { replica.log.contentFrontier.sequenceNumber(of: device.id) }

    /// The last message of a device or annotation by it. Keys that follow it are for those who are there now: they tell
    /// nothing of whom it reached.
    func lastSaid(by device: DeviceID, in replica: Replica) -> Operation? {
        var next = replica.log.contentFrontier.tips[device]?.last?.id
        while let id = next, let operation = try? storage.operation(id, of: replica.id) {
            if operation.header.type.isClosed { return operation }
            next = operation.header.previous
        }
        return nil
    }

    /// Whether this node has stopped writing because another copy of its home wrote.
    var isCopied: Bool { copyEvidence != nil }

    /// Whether the user ended their identity.
    var isDeleted: Bool { card.isDeletion }

    /// Whether this node signs nothing now, whatever it is asked for.
    var writesNothing: Bool { isCopied || isDeleted || isNewDevice || isTakenOut }

    /// Whether the user wants to be asked before a group that others add them to is theirs.
    var asksWhenAdded: Bool { preferences(of: ownConversation).asksWhenAdded }

    /// Whether others made the user a member of a group, and they have not said yet whether they want to be.
    ///
    /// Whom they blocked always asks: else a new group would be a way around it. Where the user took part, they are in
    /// whoever added them.
    func awaitsConsent(_ replica: Replica) -> Bool {
        guard let mine = replica.group.members.first(where: { $0.user == me }), let adder = mine.addedBy,
            let adding = mine.madeBy,
            asksWhenAdded || isBlocked(adder) && !familiarity.joined.contains(replica.id)
        else { return false }
        let agreed = preferences(of: replica.id).consentsTo
        return agreed != adding && !replica.group.isMember(me, byOwnActOr: agreed)
    }
}
