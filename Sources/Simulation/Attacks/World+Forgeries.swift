import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Storage
import Time

/// Batches that no honest node may take.
extension World {
    /// What a liar may do to a batch that it sends.
    private enum Forgery: CaseIterable {
        /// Another's key, another's name, or both, in the place of the liar's.
        case anothersKey, anothersName, another
        /// An operation of another, but for its signature.
        case withoutTheirKey
        /// An operation of a device that nobody introduced.
        case unknownDevice
        /// An operation of somebody who introduces themselves, whom nobody added.
        case stranger
        /// A join of somebody nobody added, by another's proof or one that they made themselves.
        case unprovenJoin
        /// A join of somebody who has the code, as if they had seen nothing that came after the invite.
        case lateJoin
    }

    /// A forgery that goes where a batch was to go; nil if the liar cannot make it there.
    func forgery(
        of bytes: [UInt8], to place: PeerMessage.LaneSlot, isAnswer: Bool, by host: Host, on side: Wire.Side
    ) -> [UInt8]? {
        let others = hosts.filter { $0.index != host.index }
        guard let kind = Forgery.allCases.randomElement(using: &random),
            let other = others.randomElement(using: &random)
        else { return nil }
        let key = (host.keys.author.device.key.bytes, other.keys.author.device.key.bytes)
        let name = (host.user.digest.bytes, other.user.digest.bytes)
        let altered: [UInt8]
        switch kind {
        case .anothersKey: altered = Self.replacing([key], in: bytes)
        case .anothersName: altered = Self.replacing([name], in: bytes)
        case .another: altered = Self.replacing([key, name], in: bytes)
        case .unprovenJoin, .lateJoin: return join(isProven: kind == .lateJoin, by: host, on: side)
        case .withoutTheirKey, .unknownDevice, .stranger:
            return invention(kind, of: other, to: place, by: host, on: side)
        }
        return PeerMessage.lane(place, .batch(isAnswer: isAnswer, altered)).encoded
    }

    private static func replacing(_ parts: [(own: [UInt8], other: [UInt8])], in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for part in parts {
            if let place = bytes.firstRange(of: part.own) { bytes.replaceSubrange(place, with: part.other) }
        }
        return bytes
    }

    /// A batch of one operation that goes on from all that the liar holds.
    private func invention(
        _ kind: Forgery, of other: Host, to place: PeerMessage.LaneSlot, by host: Host, on side: Wire.Side
    ) -> [UInt8]? {
        let conversation = slots(on: side, of: host).first { $0.value == place.slot }?.key
        guard let replica = conversation.flatMap({ host.core?.replicas[$0] }), !replica.log.membership.heads.isEmpty,
            let freshKey = SigningKey(seed: random.bytes(SigningKey.seedByteCount))
        else { return nil }
        let isContent = kind != .stranger && Bool.random(using: &random)
        var draft = ConversationLog.Draft(type: .merge, body: [])
        let author: Author
        switch kind {
        case .stranger:
            guard let stranger = stranger() else { return nil }
            author = stranger.author
            let own = stranger.own
            draft = ConversationLog.Draft(type: .device, body: MembershipBody.device(own: own).encoded)
        case .unknownDevice: author = Author(user: host.user, key: freshKey)
        case .withoutTheirKey, .anothersKey, .anothersName, .another, .unprovenJoin, .lateJoin:
            author = other.keys.author
        }
        if isContent, let body = MessageBody(text: "forged \(now)", replyTo: nil) {
            draft = ConversationLog.Draft(type: .message, body: body.encoded)
        }
        var log = replica.log
        let time = host.moment(at: now).wall
        let written =
            try? isContent
            ? log.write(content: [draft], by: author, at: time) : log.write(membership: [draft], by: author, at: time)
        guard let operation = written?.first?.operation, written?.count == 1 else { return nil }
        var batch = Batch(lane: isContent ? .content : .membership, operations: [operation]).encoded
        if kind == .withoutTheirKey {
            // The signature comes last.
            let signature = host.deviceKey.sign(Operation.statement(of: operation.id))
            batch.replaceSubrange((batch.count - Signature.byteCount)..., with: signature.bytes)
        }
        let slot = PeerMessage.LaneSlot(slot: place.slot, lane: operation.header.lane)
        return PeerMessage.lane(slot, .batch(isAnswer: false, batch)).encoded
    }

    /// A join by a code in the name of somebody whom nobody knows, on top of nothing but the invite.
    private func join(isProven: Bool, by host: Host, on side: Wire.Side) -> [UInt8]? {
        let known = slots(on: side, of: host)
        guard let offer = codes.last(where: { known[$0.conversation] != nil }), let slot = known[offer.conversation],
            let replica = host.core?.replicas[offer.conversation], replica.log.membership.contains(offer.invite),
            let stranger = stranger()
        else { return nil }
        let shown = replica.group.history.compactMap { entry -> InviteProof? in
            guard case .join(_, _, let proof?) = entry.body else { return nil }
            return proof
        }
        let user = stranger.author.device.user
        let proof =
            isProven
            ? InviteProof(
                of: offer.invite, to: offer.conversation, for: user, signedWith: offer.key)
            : shown.last
                ?? InviteProof(
                    of: offer.invite, to: offer.conversation, for: user,
                    signedWith: host.deviceKey)
        var log = ConversationLog(
            conversation: replica.id, root: replica.log.root, introductions: MembershipBody.introductions(of:))
        // Whole, from the disk: the lane in memory has no long bodies.
        let before = Set(replica.log.membership.operations(through: [offer.invite]).map(\.id))
        let past = (try? host.disk.log(of: replica.id))?.membership.filter { before.contains($0.id) } ?? []
        let body = MembershipBody.join(invite: offer.invite, own: stranger.own, proof: proof)
        guard
            case .admitted? = try? log.admit(
                Batch(lane: .membership, operations: past), using: NoContent(), isMember: { _, _ in false }),
            let written = try? log.write(
                membership: [.init(type: .join, body: body.encoded)], by: stranger.author, at: host.moment(at: now).wall
            )
        else { return nil }
        let batch = Batch(lane: .membership, operations: written.map(\.operation))
        let place = PeerMessage.LaneSlot(slot: slot, lane: .membership)
        return PeerMessage.lane(place, .batch(isAnswer: false, batch.encoded)).encoded
    }

    /// Somebody whom nobody knows, with a record of their one device.
    func stranger() -> (author: Author, own: Credentials)? {
        guard let key = SigningKey(seed: random.bytes(SigningKey.seedByteCount)),
            let root = SigningKey(seed: random.bytes(SigningKey.seedByteCount))
        else { return nil }
        let author = Author(user: UserID(root.verifyingKey), key: key)
        let entry = IdentityRecord.Entry(device: author.device, name: "nowhere")
        return (author, Credentials(identity: IdentityRecord(root: root, serial: 1, devices: [entry]), wraps: []))
    }
}

/// The index of a log without content.
private struct NoContent: OperationIndex {
    func placement(of id: OperationID) -> Placement? { nil }
}
