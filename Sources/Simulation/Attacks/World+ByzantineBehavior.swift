import Conversations
import Cryptography
import Membership
import NodeCore
import OperationLog
import Replication
import Time

/// What liars do. A liar runs the same core as everybody, and then says something else.
extension World {
    func lie(_ step: Step, by host: Host) {
        guard host.isLiar, host.core != nil else { return }
        tally.count(step.kind.rawValue)
        switch step.kind {
        case .withhold, .hide, .corrupt, .forge:
            host.activeAttacks[step.kind] = now + step.value * 1_000
        case .fork: fork(step, by: host)
        case .overreach: overreach(step, by: host)
        case .flood: flood(step, by: host)
        case .impersonate: impersonate(step, by: host)
        case .misseal: misseal(step, by: host)
        case .presume: presume(step, by: host)
        case .steal: steal(step, by: host)
        case .falsifyTyping: falsifyTyping(step, by: host)
        case .falsifyReceipts: falsifyReceipts(step, by: host)
        case .bloat: bloat(step, by: host)
        case .bare: bare(step, by: host)
        case .branch: branch(step, by: host)
        case .reissue: reissue(step, by: host)
        case .usurp: usurp(step, by: host)
        case .linger: linger(step, by: host)
        case .falsifyKeys: falsifyKeys(step, by: host)
        case .dribble: dribble(step, by: host)
        case .pester: pester(step, by: host)
        case .intrude: intrude(step, by: host)
        case .silence: silence(step, by: host)
        case .create, .direct, .send, .read, .annotate, .add, .remove, .promote, .demote, .rename, .announce, .letAdd,
            .invite, .answer, .offer, .redeem, .leave, .profile, .type, .attach, .link, .retire, .revoke,
            .keep, .isolate, .cutOneWay, .reset, .stall, .kill, .loseBeforeWriting, .loseBeforeSyncing,
            .loseAfterSyncing,
            .freeze,
            .setClock, .fillDisk, .breakDisk, .backUp, .restore:
            break
        }
    }

    func group(of step: Step, known core: NodeCore) -> Replica? {
        let known = conversations.compactMap { core.replicas[$0] }.filter { !$0.isDirect && !$0.group.history.isEmpty }
        return known.isEmpty ? nil : known[step.conversation % known.count]
    }

    // MARK: - Operations that contradict themselves

    /// Goes on twice from one place, and tells some peers the one and some the other.
    private func fork(_ step: Step, by host: Host) {
        guard let core = host.core, let replica = group(of: step, known: core) else { return }
        let image = host.disk.image
        var effects: [[Effect]] = []
        for branch in 0..<2 {
            var twin = core
            host.disk.restore(image)
            for number in 0...(branch + step.value % 3) {
                let text = "branch \(branch) \(step.at) \(number)"
                guard (try? twin.send([text], to: replica.id, at: host.moment(at: now))) != nil else { continue }
            }
            if step.value % 5 == 0 {
                try? twin.write([.stepdown], in: replica.id)
            }
            effects.append(twin.takeEffects())
            if branch == 1 { host.core = twin }
        }
        // The second branch is what the liar holds from now on.
        let peers = host.ends.keys.sorted()
        for (branch, list) in effects.enumerated() {
            carryOut(
                list.filter { effect in
                    guard case .send(let peer, _, _) = effect else { return branch == 1 }
                    return (peers.firstIndex(of: peer) ?? 0) % 2 == branch
                }, of: host)
        }
    }

    // MARK: - Operations nobody allowed

    /// Writes membership operations under authority the liar does not have.
    private func overreach(_ step: Step, by host: Host) {
        change(host) { core, _ in
            guard let replica = self.group(of: step, known: core), let founding = replica.group.history.first else {
                return
            }
            // Where somebody acts as admin they are the one to strike.
            let victim = replica.group.actingAdmin ?? self.hosts[step.other % self.hosts.count].user
            let founder = MembershipBody.Authority.grant(operation: founding.operation.id, slot: 0)
            let grants = replica.group.history.map {
                MembershipBody.Authority.grant(operation: $0.operation.id, slot: 0)
            }
            let some = grants[step.value % grants.count]
            var choices: [[MembershipBody]] = [
                [.promote(under: founder, target: core.me, role: .admin)],
                [.remove(under: founder, target: victim, pins: [])],
                [.remove(under: .acting, target: victim, pins: [])],
                [.promote(under: .acting, target: core.me, role: .admin)],
                [.demote(under: some, target: victim, role: .member)],
                [.set(under: some, field: Group.nameField, value: "mine \(step.at)")],
                [.add(under: some, targets: [core.ownCredentials])],
                [
                    .ratify(
                        under: .acting, keep: [.init(user: core.me, role: .moderator)],
                        bans: [.init(user: victim, pins: [])])
                ],
                [.join(invite: founding.operation.id, own: core.ownCredentials, proof: nil)],
                [.add(under: self.someMembership(of: core.me, in: replica) ?? founder, targets: [core.ownCredentials])],
                [
                    .join(
                        invite: self.othersInvite(in: replica) ?? founding.operation.id, own: core.ownCredentials,
                        proof: nil)
                ],
                [.invite(under: some, .holder(of: core.device.key, until: .latest))],
                [.leave(pins: []), .remove(under: founder, target: victim, pins: [])],
                [.stepdown],
                [.leave(pins: [])],
            ]
            if let own = self.ownGrant(of: core.me, in: replica) {
                // Who has some authority oversteps it rather.
                let oversteps: [[MembershipBody]] = [
                    [.demote(under: own, target: victim, role: .member)],
                    [.demote(under: own, target: victim, role: .moderator)],
                    [.promote(under: own, target: victim, role: .admin)],
                    [.remove(under: own, target: victim, pins: [])],
                    [.set(under: own, field: Group.nameField, value: "ours \(step.at)")],
                ]
                for _ in 0..<4 { choices += oversteps }
            }
            try? core.write(choices[step.value % choices.count], in: replica.id)
        }
    }

    /// The grant by which a person is a member, whether or not that suffices for anything.
    private func someMembership(of user: UserID, in replica: Replica) -> MembershipBody.Authority? {
        for entry in replica.group.history {
            guard case .add(_, let targets) = entry.body, let index = targets.firstIndex(where: { $0.user == user })
            else { continue }
            return .grant(operation: entry.operation.id, slot: UInt64(index + 1))
        }
        return nil
    }

    /// The last invite of somebody else.
    private func othersInvite(in replica: Replica) -> OperationID? {
        replica.group.history.last { entry in
            if case .invite(_, .person) = entry.body { true } else { false }
        }?.operation.id
    }

    /// The last promotion of a person, or the founding by them, whatever became of it since.
    func ownGrant(of user: UserID, in replica: Replica) -> MembershipBody.Authority? {
        let promotion = replica.group.history.last { entry in
            guard case .promote(_, let target, _) = entry.body else { return false }
            return target == user
        }
        if let promotion { return .grant(operation: promotion.operation.id, slot: 1) }
        let founding = replica.group.history.first.flatMap { $0.operation.author.user == user ? $0.operation.id : nil }
        return founding.map { .grant(operation: $0, slot: 0) }
    }

    // MARK: - Messages that are not what they seem

    /// What a host sends instead of a message; honest ones send what their core said.
    func altered(_ message: [UInt8], from host: Host, on side: Wire.Side) -> [[UInt8]] {
        guard host.isLiar, !host.activeAttacks.isEmpty, let decoded = try? PeerMessage(decoding: message) else {
            return [message]
        }
        let isIn = { (attack: Step.Kind) in host.activeAttacks[attack].map { $0 > self.now } ?? false }
        if isIn(.silence), isKeptBack(decoded, from: host, on: side) { return [] }
        switch decoded {
        case .lane(_, .batch(true, _, _)) where isIn(.dribble), .lane(_, .done) where isIn(.dribble): return []
        case .lane(let slot, .batch(let isAnswer, let reached, let bytes)):
            if isIn(.withhold) { return withholding(bytes, slot, isAnswer, reached, by: host, on: side) }
            if isIn(.corrupt) {
                host.activeAttacks[.corrupt] = nil
                var damaged = bytes
                damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= UInt8(
                    1 << Int.random(in: 0..<8, using: &random))
                return [PeerMessage.lane(slot, .batch(isAnswer: isAnswer, reached: reached, damaged)).encoded]
            }
            if isIn(.forge) {
                host.activeAttacks[.forge] = nil
                let forged = forgery(of: bytes, to: slot, isAnswer: isAnswer, by: host, on: side)
                return (forged.map { [$0] } ?? []) + [message]
            }
            return [message]
        case .lane(_, .status), .statuses, .lane(_, .frontier), .lane(_, .chains): return isIn(.hide) ? [] : [message]
        case .conversation(_, .bodies(.found)), .files(.blobHeld): return isIn(.withhold) ? [] : [message]
        case .files(.chunk(let root, let bytes)):
            if isIn(.withhold) { return [] }
            guard isIn(.corrupt) else { return [message] }
            var damaged = bytes
            damaged[Int.random(in: 0..<damaged.count, using: &random)] ^= 1
            return [PeerMessage.files(.chunk(root, damaged)).encoded]
        default:
            return [message]
        }
    }

    /// Keeps back a batch, or only the bodies in it.
    private func withholding(
        _ bytes: [UInt8], _ slot: PeerMessage.LaneSlot, _ isAnswer: Bool, _ reached: [UInt8], by host: Host,
        on side: Wire.Side
    ) -> [[UInt8]] {
        guard Bool.random(using: &random), slot.lane == .content,
            let conversation = slots(on: side, of: host).first(where: { $0.value == slot.slot })?.key,
            let batch = try? Batch(decoding: bytes, of: conversation)
        else { return [] }
        let closed = batch.withoutBodies(where: \.header.type.isClosed).encoded
        return [PeerMessage.lane(slot, .batch(isAnswer: isAnswer, reached: reached, closed)).encoded]
    }

    /// Says a great deal at once: pings, that everybody is gone, conversations nobody knows, operations that wait
    /// forever.
    private func flood(_ step: Step, by host: Host) {
        let sides = host.ends.values.sorted { $0.wire < $1.wire }
        guard !sides.isEmpty, let core = host.core else { return }
        let side = sides[step.other % sides.count]
        for number in 0..<(20 + step.value % 200) {
            switch number % 3 {
            case 0:
                send(PeerMessage.presence(.ping(UInt64(number))).encoded, .live, on: side)
                send(PeerMessage.presence(.unreachable(hosts[number % hosts.count].device)).encoded, .live, on: side)
            case 1:
                let unknown = ConversationID(digest: .hash("moot/1/flood", random.bytes(8)))
                if number < 30 { send(PeerMessage.sharing(.announce(unknown, .group)).encoded, .live, on: side) }
            default:
                guard let replica = group(of: step, known: core) else { continue }
                sendOrphan(of: replica, number, by: host, on: side)
            }
        }
    }

    /// Sends an operation of which the one before is kept back.
    private func sendOrphan(of replica: Replica, _ number: Int, by host: Host, on side: Wire.Side) {
        var log = replica.log
        let drafts = (0..<2).map {
            ConversationLog.Draft(
                type: .message, body: MessageBody(text: "orphan \(number).\($0)", replyTo: nil)?.encoded ?? [])
        }
        guard let kept = try? log.write(content: [drafts[0]], by: host.keys.author, at: host.moment(at: now).wall),
            !kept.isEmpty,
            let sent = try? log.write(content: [drafts[1]], by: host.keys.author, at: host.moment(at: now).wall),
            let slot = slots(on: side, of: host)[replica.id]
        else { return }
        let batch = Batch(lane: .content, operations: sent.map(\.operation))
        let place = PeerMessage.LaneSlot(slot: slot, lane: .content)
        send(PeerMessage.lane(place, .batch(isAnswer: false, batch.encoded)).encoded, .live, on: side)
    }

    /// How a host names conversations on a connection.
    func slots(on side: Wire.Side, of host: Host) -> [ConversationID: Int] {
        guard let handle = wires[side.wire]?.ends[side.end]?.handle, let core = host.core else { return [:] }
        return core.replicator.slots(for: handle)
    }

    // MARK: - Being somebody else

    /// Dials a host and claims to be another user's device.
    private func impersonate(_ step: Step, by host: Host) {
        let victim = hosts[step.other % hosts.count]
        let target = hosts[step.conversation % hosts.count]
        guard victim.index != host.index, target.index != host.index, target.core != nil, let card = victim.core?.card
        else {
            return
        }
        // The victim's record is no secret; their keys are.
        let pretended = Author(user: victim.user, key: host.deviceKey)
        var dialer = SeededRandom(seed: plan.seed, part: UInt64(step.at))
        let channel = SecureChannel(
            role: .initiator, author: pretended, record: card.identity, channelKey: host.keys.channelKey,
            expecting: nil, using: &dialer)
        let place = Endpoint(host: host.endpoint.host, port: 50_001)
        guard let accepted = end(of: target, to: nil, at: place) else { return }
        begin(Wire.End(host: host.index, life: host.life, handle: nil, channel: channel), accepted)
    }

    /// Runs the channel of a connection that no core knows.
    func receiveAsRogue(_ bytes: [UInt8], on side: Wire.Side) {
        guard let end = wires[side.wire]?.ends[side.end] else { return }
        let moment = hosts[end.host].moment(at: now).monotonic
        guard let result = try? end.channel.receive(bytes, at: moment) else {
            return forceClose(side, reason: "bad_proof")
        }
        if !result.reply.isEmpty { transmit(.bytes(result.reply), on: side) }
        guard let stranger = end.stranger else { return }
        for event in result.events { overhear(event, stranger, on: side) }
    }
}
