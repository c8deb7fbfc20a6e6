import Conversations
import OperationLog
import Replication
import Storage
import Time

/// Takes a device of this user out that is somebody else's, and with it what that one may have written.
///
/// The statement of each conversation names what this node vouches for: all that it holds of the device, or what came
/// before the device was stolen, by when it came here. A thief cannot choose that moment, as they can the times in what
/// they write. What the node does not hold it does not name: so it is to have all that those who are connected have.
extension NodeCore {
    /// What revoking a device takes away of what this node holds.
    public struct RevocationLosses: Hashable, Sendable {
        /// The conversations that know the device.
        public internal(set) var conversations = 0
        /// Messages, and what says something about messages, that are not shown any more.
        public internal(set) var messages = 0
        /// What does not count any more of what was decided in groups, also by others where it rested on what the
        /// device did.
        public internal(set) var decisions = 0
        /// Whether this node still lacks something that a member has who is connected.
        public internal(set) var isBehind = false
        /// Whom the device blocked last. That stays: nobody can tell whether the user wanted it.
        public internal(set) var blocked: [UserID] = []
    }

    /// What revoking a device would take away; nothing on a device without the root, which cannot revoke.
    ///
    /// - Parameter stolen: since when the device is somebody else's; nil for now, so that all counts that is here.
    /// - Throws: `invalid_operation` without the root, for a device that is none of the user's, or for a time before
    ///   anything came here; `disk_full`, `storage_failed`.
    /// - Complexity: O(*n*) in what the device wrote since, and in the lanes of the groups that know it.
    public func losses(
        byRevoking device: DeviceID, stolenAt stolen: Timestamp?
    ) throws(NodeError) -> RevocationLosses {
        let root = try requireRoot()
        try requireRevocable(device)
        if let stolen { try requireArrivals(before: stolen, in: Array(replicas.values)) }
        var losses = RevocationLosses()
        let blocks = context.privateState.blocks
        losses.blocked = blocks.marked.filter { blocks.people[$0]?.device == device }.sorted()
        for replica in replicasKnowing(device) {
            let pins = try pins(on: device, in: replica, before: stolen)
            let revocation = DeviceRevocation(
                root: root, of: device, in: replica.id, keeping: pins.decisions, pins.messages)
            losses.conversations += 1
            losses.messages += pins.cutMessages
            losses.decisions += replica.group.decisionsLost(by: revocation)
            switch replicator.status(of: replica.id).state {
            case .behind, .pulling: losses.isBehind = true
            case .alone, .synced: break
            }
        }
        return losses
    }

    /// Takes a device out that is somebody else's: what it wrote since does not count, and is not shown.
    ///
    /// It ends the user's open invite codes as well, which a thief may know. A retired device can be revoked later.
    /// Asked once more it goes on where it failed.
    ///
    /// - Parameters:
    ///   - stolen: since when the device is somebody else's; nil for now.
    ///   - isForced: whether also while this node lacks something that others have.
    /// - Throws: `invalid_operation` without the root, for the device itself, for one that is none of the user's, with
    ///   256 taken out, for a time before anything came here, or while this node is behind; `device_taken_out`,
    ///   `identity_deleted`, `home_copied`, `not_certified`, `disk_full`, `storage_failed`.
    /// - Complexity: as ``losses(byRevoking:stolenAt:)``, and two signatures for each conversation that knows the
    ///   device.
    public mutating func revoke(
        _ device: DeviceID, stolenAt stolen: Timestamp?, isForced: Bool, at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        try requireWritable()
        let root = try requireRoot()
        guard device != self.device.id else { throw Self.ownDevice }
        guard try !losses(byRevoking: device, stolenAt: stolen).isBehind || isForced else {
            throw NodeError(
                .invalidOperation, "Others have more than this device yet, which would count no more",
                hint: "Wait until 'moot status' says that all is synced, or say that you do not want to: --force")
        }
        // Before the first of it is seen: the statements are about what was here when the user decided.
        var revocations: [ConversationID: DeviceRevocation] = [:]
        for replica in replicasKnowing(device) where replica.group.countingRevocations(of: device, of: me).isEmpty {
            let pins = try pins(on: device, in: replica, before: stolen)
            revocations[replica.id] = DeviceRevocation(
                root: root, of: device, in: replica.id, keeping: pins.decisions, pins.messages)
        }
        try takeOut(device, as: .revoked)
        for (conversation, revocation) in revocations.sorted(by: { $0.key < $1.key }) {
            try write([.revoke(revocation)], in: conversation)
        }
        for conversation in replicas.keys.sorted() { try cancelOpenCodes(in: conversation) }
    }

    /// Revokes in a conversation what was revoked before anything of it was here: nothing in it was held when the user
    /// decided, so nothing is named.
    ///
    /// A conversation of which something came before is left alone. Another holder of the root may be about to say what
    /// counts there, or the user is to be asked.
    mutating func revokeWhereNew(_ conversation: ConversationID) throws(NodeError) {
        guard let root = keys.root else { return }
        for tombstone in contacts[me].tombstones.all where tombstone.kind == .revoked {
            guard let replica = replicas[conversation], replica.group.isMember(me),
                replica.group.devices(of: me).contains(tombstone.device),
                replica.group.countingRevocations(of: tombstone.device, of: me).isEmpty,
                try cameAfterRevocation(of: tombstone.device, replica)
            else { continue }
            let revocation = DeviceRevocation(root: root, of: tombstone.device, in: conversation, keeping: [], [])
            try write([.revoke(revocation)], in: conversation)
            try cancelOpenCodes(in: conversation)
        }
    }

    /// Whether a conversation came here after the first statement by which a device was revoked.
    private func cameAfterRevocation(of device: DeviceID, _ replica: Replica) throws(NodeError) -> Bool {
        guard let first = replica.log.membership.operations.first else { return false }
        do throws(StoreError) {
            guard let begin = try storage.arrivals(of: [first.id], in: replica.id)[first.id] else { return false }
            for other in replicas.values where other.id != replica.id {
                let statements = other.group.countingRevocations(of: device, of: me)
                if try storage.arrivals(of: statements, in: other.id).values.contains(where: { $0 < begin }) {
                    return true
                }
            }
        } catch {
            throw NodeError(error)
        }
        return false
    }

    /// Takes back all codes of this user by which somebody could still join.
    private mutating func cancelOpenCodes(in conversation: ConversationID) throws(NodeError) {
        guard let replica = replicas[conversation], !replica.isDirect, replica.group.isMember(me) else { return }
        for code in replica.group.codes(of: me) where code.state == .open {
            guard let authority = InviteCodes.authority(toTakeBack: code, in: try group(conversation), context) else {
                continue
            }
            try write([.cancel(under: authority, invite: code.id)], in: conversation)
        }
    }

    static let ownDevice = NodeError(
        .invalidOperation, "This is the device that you are using",
        hint: "Only another device that holds your identity's key can take it out.")

    func requireRevocable(_ device: DeviceID) throws(NodeError) {
        guard contacts[me].tombstones[device] != nil || context.ownDevices.contains(where: { $0.device.id == device })
        else { throw NodeError(.invalidOperation, "This is none of your devices", hint: "'moot devices' lists them.") }
    }

    /// The conversations in which this user can revoke a device, because their lanes know it.
    private func replicasKnowing(_ device: DeviceID) -> [Replica] {
        replicas.values.filter { $0.group.isMember(me) && $0.group.devices(of: me).contains(device) }
            .sorted { $0.id < $1.id }
    }

    // MARK: - What counts

    private struct Pins {
        var decisions: [OperationID] = []
        var messages: [OperationID] = []
        var cutMessages = 0
    }

    /// What counts of a device in a conversation: of each branch of its chains the last operation that came before a
    /// moment.
    private func pins(
        on device: DeviceID, in replica: Replica, before stolen: Timestamp?
    ) throws(NodeError) -> Pins {
        var pins = Pins()
        do throws(StoreError) {
            for tip in replica.log.membershipFrontier.tips[device] ?? [] {
                let (last, _) = try last(from: tip.id, before: stolen, in: replica.id) { id in
                    replica.log.membership[id]?.header
                }
                if let last { pins.decisions.append(last) }
            }
            for tip in replica.log.contentFrontier.tips[device] ?? [] {
                let (last, cut) = try last(from: tip.id, before: stolen, in: replica.id) { id throws(StoreError) in
                    try storage.operation(id, of: replica.id)?.header
                }
                if let last { pins.messages.append(last) }
                pins.cutMessages += cut
            }
        } catch {
            throw NodeError(error)
        }
        pins.decisions = try earliest(of: pins.decisions, in: replica.id)
        pins.messages = try earliest(of: pins.messages, in: replica.id)
        return pins
    }

    /// As many of the last operations of branches as a statement can name, those that came first: only somebody who has
    /// the device forks its chain that often, and what they wrote came later.
    private func earliest(
        of pins: [OperationID], in conversation: ConversationID
    ) throws(NodeError) -> [OperationID] {
        let pins = Set(pins).sorted()
        guard pins.count > DeviceRevocation.maximumPins else { return pins }
        do throws(StoreError) {
            let arrivals = try storage.arrivals(of: pins, in: conversation)
            let byArrival = pins.sorted {
                (arrivals[$0] ?? moment.wall, $0) < (arrivals[$1] ?? moment.wall, $1)
            }
            return byArrival.prefix(DeviceRevocation.maximumPins).sorted()
        } catch {
            throw NodeError(error)
        }
    }

    /// Refuses a time before anything of some conversations came here: a host that was linked or recovered later than
    /// that has all of it from later.
    ///
    /// - Throws: `invalid_operation`, `disk_full`, `storage_failed`.
    func requireArrivals(before moment: Timestamp, in replicas: [Replica]) throws(NodeError) {
        // Where nothing is here, nothing is cut.
        if replicas.allSatisfy({ $0.log.membership.operations.isEmpty }) { return }
        do throws(StoreError) {
            for replica in replicas {
                let first = replica.log.membership.operations.prefix(1).map(\.id)
                let arrivals = try storage.arrivals(of: first, in: replica.id)
                if arrivals.values.contains(where: { $0 <= moment }) { return }
            }
        } catch {
            throw NodeError(error)
        }
        throw NodeError(
            .invalidOperation, "This host has nothing that came here before then, so it cannot tell what is older",
            hint: "Name a later time, or none so that all counts that is here, or use a device that was there by then.")
    }

    /// The last operation of a branch that came before a moment, and how many closed ones came later.
    func last(
        from tip: OperationID, before stolen: Timestamp?, in conversation: ConversationID,
        header: (OperationID) throws(StoreError) -> OperationHeader?
    ) throws(StoreError) -> (OperationID?, cut: Int) {
        guard let stolen else { return (tip, 0) }
        var (next, cut): (OperationID?, Int) = (tip, 0)
        while let id = next, let found = try header(id) {
            guard try storage.arrivals(of: [id], in: conversation)[id].map({ $0 >= stolen }) ?? true else {
                return (id, cut)
            }
            if found.type.isClosed { cut += 1 }
            next = found.previous
        }
        return (nil, cut)
    }
}
