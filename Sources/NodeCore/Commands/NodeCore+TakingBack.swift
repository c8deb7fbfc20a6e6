import Conversations
import Membership
import OperationLog
import Storage
import Time

/// Removes a person with what they did since a moment: the removal is written on the heads from before it, so that it
/// voids what it has not seen.
///
/// The moment is when something came here, as for a device that was revoked: its author cannot choose that, as they can
/// the times in what they write.
extension NodeCore {
    /// What removing a person with what they did since a moment takes away, of what this node holds.
    public struct RemovalLosses: Hashable, Sendable {
        /// How much of what was decided counts no more: what they did, and what others did who rest on it.
        public let decisions: Int
        /// Messages of theirs, and what says something about messages, that are cut off.
        public let messages: Int
        /// How much of what they decided since counts on, because this device has decided on top of it.
        public let kept: Int
        /// Who else is in the group no more.
        public let leaving: [UserID]
        /// Who is in the group again, whom they had taken out.
        public let returning: [UserID]
    }

    /// A removal that is ready to be written.
    private struct Removal {
        let heads: [OperationID]
        let authority: MembershipBody.Authority
        let pins: [Pin]
        let losses: RemovalLosses
        let remaining: Int
    }

    /// What removing a person with what they did since a moment would take away.
    ///
    /// - Throws: as ``remove(_:from:since:archive:at:)``, but for `would_archive`.
    /// - Complexity: O(*n*) in the lane, and in what the person wrote since.
    public func losses(
        byRemoving target: UserID, from conversation: ConversationID, since moment: Timestamp
    ) throws(NodeError) -> RemovalLosses {
        try removal(of: target, from: try group(conversation), since: moment).losses
    }

    /// Takes a person out of a group, also one who is out already, with all that they decided since a moment. What they
    /// wrote since is cut off.
    ///
    /// A moment before they came means all that they ever did there.
    ///
    /// - Parameters:
    ///   - begin: since when, by when it came here.
    ///   - archive: whether to go on when only one member would remain.
    /// - Throws: `conversation_not_found`, `insufficient_permissions`, `outranked`, `already_removed` for somebody who
    ///   was not in the group then, `would_archive`, `not_a_participant`; `invalid_operation` where nothing is taken
    ///   back, and for a moment before anything of the group came here; `disk_full`, `storage_failed`.
    public mutating func remove(
        _ target: UserID, from conversation: ConversationID, since begin: Timestamp, archive: Bool = false,
        at moment: Moment
    ) throws(NodeError) {
        self.moment = moment
        let replica = try group(conversation)
        let removal = try removal(of: target, from: replica, since: begin)
        guard removal.remaining >= 2 || replica.group.isArchived || archive else { throw Self.wouldArchive }
        try write(in: replica, under: removal.authority, after: removal.heads) {
            [.remove(under: $0, target: target, pins: removal.pins)]
        }
    }

    private func removal(
        of target: UserID, from replica: Replica, since moment: Timestamp
    ) throws(NodeError) -> Removal {
        guard target != me else { throw Self.ownRemoval }
        try requireMembership(in: replica)
        // Of a group that this device began all came here as it was written.
        if replica.log.membership.operations.first?.author.id != device.id {
            try requireArrivals(before: moment, in: [replica])
        }
        let name = contacts[target].name
        let tip = replica.log.membershipFrontier.tips[device.id]?.last?.id
        let late = try operations(of: target, in: replica, since: moment)
        let past = replica.group.takingBack(actsOf: target, where: late.contains, after: tip)
        let parents = past.heads + [tip].compactMap(\.self).filter { !past.heads.contains($0) }
        guard replica.log.knows(device, after: past.heads) else {
            throw NodeError(
                .invalidOperation, "You, or this device, came into the group after \(name) did something since",
                hint: "Ask an admin who was there before, or use a device that was.")
        }
        let authority = try authority(toRemove: target, from: replica, after: parents, past)
        guard let outcome = replica.group.outcome(ofRemoving: target, by: me, under: authority, after: parents) else {
            throw Self.nothingToTakeBack(of: name)
        }
        guard outcome.isRemoved else {
            throw NodeError(
                .outranked, "\(name) was promoted since then, and would stay in the group",
                hint: "Ask the founder or a more senior admin, or name a later time.")
        }
        let (pins, messages) = try pins(on: target, in: replica, before: moment)
        guard outcome.decisions > 0 || messages > 0 else {
            throw past.kept > 0 ? Self.allIsKept(of: name) : Self.nothingToTakeBack(of: name)
        }
        return Removal(
            heads: past.heads, authority: authority, pins: pins,
            losses: RemovalLosses(
                decisions: outcome.decisions, messages: messages, kept: past.kept, leaving: outcome.leaving,
                returning: outcome.returning),
            remaining: outcome.memberCount)
    }

    /// The best authority of this user for a removal that follows some operations.
    private func authority(
        toRemove target: UserID, from replica: Replica, after parents: [OperationID], _ past: TakingBack
    ) throws(NodeError) -> MembershipBody.Authority {
        let removal = { MembershipBody.remove(under: $0, target: target, pins: []) }
        let permission = replica.group.permission(for: removal, by: me, after: parents)
        if case .refused(let reason)? = permission, reason.rule == .targetNotAMember {
            // They left, or were removed, and this device has answered that.
            if past.kept > 0 { throw Self.allIsKept(of: contacts[target].name) }
            throw NodeError(.alreadyRemoved, "\(contacts[target].name) was not in the group then")
        }
        return try self.authority(by: permission, for: removal(.acting))
    }

    /// What a person wrote in the membership lane that came here since a moment.
    private func operations(
        of user: UserID, in replica: Replica, since moment: Timestamp
    ) throws(NodeError) -> Set<OperationID> {
        let theirs = replica.log.membership.operations.filter { $0.author.user == user }.map(\.id)
        do throws(StoreError) {
            let arrivals = try storage.arrivals(of: theirs, in: replica.id)
            return Set(theirs.filter { arrivals[$0].map { $0 >= moment } ?? true })
        } catch {
            throw NodeError(error)
        }
    }

    /// The last content operation of each of a person's devices that came before a moment, and how many closed ones
    /// came later. Where a chain is forked, the last one of the longest branch.
    private func pins(
        on user: UserID, in replica: Replica, before moment: Timestamp
    ) throws(NodeError) -> (pins: [Pin], cut: Int) {
        var pins: [Pin] = []
        var cut = 0
        do throws(StoreError) {
            for device in replica.group.devices(of: user) {
                var longest: Pin?
                for tip in replica.log.contentFrontier.tips[device] ?? [] {
                    let header = { (id: OperationID) throws(StoreError) in
                        try storage.operation(id, of: replica.id)?.header
                    }
                    let (last, later) = try last(from: tip.id, before: moment, in: replica.id, header: header)
                    cut += later
                    guard let last, let number = try header(last)?.sequenceNumber else { continue }
                    let pin = Pin(device: device, sequenceNumber: number, operation: last)
                    longest = longest.map { max($0, pin) } ?? pin
                }
                if let longest { pins.append(longest) }
            }
        } catch {
            throw NodeError(error)
        }
        return (Pin.fitting(pins), cut)
    }

    private static func nothingToTakeBack(of name: String) -> NodeError {
        NodeError(
            .invalidOperation, "\(name) did nothing in the group since then that could be taken back",
            hint: "'moot remove GROUP PERSON' without a time does the same.")
    }

    private static func allIsKept(of name: String) -> NodeError {
        NodeError(
            .invalidOperation, "This device has decided in the group since, on top of what \(name) did: that stays",
            hint: "Another admin, or another device of yours, can take it back. Or undo it one by one.")
    }
}
