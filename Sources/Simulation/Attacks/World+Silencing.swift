import Conversations
import Cryptography
import Membership
import NodeCore
import OperationLog
import Replication
import Time

/// How a liar silences others: their devices give what they write to one member alone. That member's next message
/// follows it, so the others need it first. They hear noise from each of these devices, and no answer.
struct Silencing {
    /// What a step says of it. Times are counted in moments, of which a second has ``momentsPerSecond``.
    struct Course {
        /// How often a device writes something.
        let writingInterval: Int
        /// How often it sends one operation of its chain to the others as an answer: less often than it writes; nil for
        /// never.
        let tricklingInterval: Int?
        /// Whether only the confidant hears which devices there are.
        let isHidden: Bool

        init(_ step: Step) {
            switch step.value % 4 {
            case 0: (writingInterval, tricklingInterval) = (32, nil)
            case 1: (writingInterval, tricklingInterval) = (8, nil)
            case 2: (writingInterval, tricklingInterval) = (32, 48)
            default: (writingInterval, tricklingInterval) = (4, 8)
            }
            isHidden = step.value / 4 % 2 == 1
        }
    }

    /// A device that no node runs.
    struct SilentDevice {
        let author: Author
        /// Its first operation, by which it is a device of its user.
        let introduction: Operation
        var chain: [Operation] = []
        /// Its connections, by the host at the other end.
        var lines: [Int: Line] = [:]
    }

    /// A connection of such a device.
    struct Line {
        let side: Wire.Side
        let began: Int
        /// How many operations of the chain were sent on it.
        var given = 0
    }

    /// How often all devices speak.
    static let momentsPerSecond = 32

    let step: Step
    let conversation: ConversationID
    /// The honest host that is given everything.
    let confidant: Int
    let record: IdentityRecord
    var devices: [SilentDevice]
    /// How often they have spoken.
    var moments = 0
    /// Whether they will speak again.
    var isGoingOn = false

    var course: Course { Course(step) }
}

extension World {
    /// How long devices are silent after a step that says so, in microseconds.
    private static let silenceTime = 8_000_000
    /// How long a silent device waits before it connects again, in microseconds.
    private static let redialing = 1_000_000
    /// How soon after its connection such a device has something to give, in microseconds.
    private static let preparation = 300_000

    /// Takes all of its user's devices, and makes as many more as a user may have. One honest member is given what they
    /// write, the others hear noise and get no answer for some seconds. Another step goes on with it.
    func silence(_ step: Step, by host: Host) {
        if host.silencing == nil { host.silencing = silencing(step, by: host) }
        guard let silencing = host.silencing else { return }
        host.activeAttacks[.silence] = now + Self.silenceTime
        guard !silencing.isGoingOn else { return }
        host.silencing?.isGoingOn = true
        mutter(host)
    }

    private func silencing(_ step: Step, by host: Host) -> Silencing? {
        guard let core = host.core, let replica = group(of: step, known: core), replica.group.isMember(host.user),
            let root = host.keys.root
        else { return nil }
        let listeners = listeners(in: replica.id)
        guard listeners.count > 1 else { return nil }
        let own = core.ownCredentials
        let authors = (own.identity.devices.count..<IdentityRecord.maximumDevices).map { _ in
            Author(user: host.user, key: SigningKey.generate(using: &random))
        }
        let record = IdentityRecord(
            root: root, serial: own.identity.serial + 1,
            devices: own.identity.devices + authors.map { .init(device: $0.device, name: "silent") })
        let body = MembershipBody.device(own: Credentials(identity: record, wraps: own.wraps)).encoded
        let time = host.moment(at: now).wall
        let heads = replica.log.membership.heads
        return Silencing(
            step: step, conversation: replica.id, confidant: listeners[step.other % listeners.count].index,
            record: record,
            devices: authors.map { author in
                let forge = OperationForge(author: author, conversation: replica.id, time: time)
                return .init(author: author, introduction: forge.membership(.device, body, on: heads))
            })
    }

    /// The honest hosts that run and are in a conversation.
    private func listeners(in conversation: ConversationID) -> [Host] {
        hosts.filter { !$0.isLiar && $0.core?.replicas[conversation]?.group.isMember($0.user) == true }
    }

    /// Whether a liar's node does not say what it would say: nothing that tells or answers goes to anybody honest but
    /// the confidant.
    func isKeptBack(_ message: PeerMessage, from host: Host, on side: Wire.Side) -> Bool {
        guard let confidant = host.silencing?.confidant, let other = wires[side.wire]?.hosts[side.other.end],
            other != confidant, !hosts[other].isLiar
        else { return false }
        return switch message {
        case .conversation(_, .typing), .conversation(_, .own): false
        case .lane, .statuses, .conversation, .files, .cards, .presence(.reachability): true
        case .people, .presence, .sharing, .credit, .privateState: false
        }
    }

    // MARK: - Devices that no node runs

    /// All devices of a liar who silences others say something, and will again.
    func mutter(_ host: Host) {
        guard var silencing = host.silencing else { return }
        defer { host.silencing = silencing }
        let listeners = listeners(in: silencing.conversation)
        guard host.core != nil, host.activeAttacks[.silence].map({ $0 > now }) == true else {
            silencing.isGoingOn = false
            for index in silencing.devices.indices {
                for (_, line) in silencing.devices[index].lines.sorted(by: { $0.key < $1.key }) { close(line.side) }
                silencing.devices[index].lines = [:]
            }
            return
        }
        for index in silencing.devices.indices { speak(as: index, to: listeners, by: host, &silencing) }
        let victims = listeners.filter { $0.index != silencing.confidant }
        if !victims.isEmpty {
            let victim = victims[silencing.moments % victims.count].index
            let sides = host.ends.values.filter { wires[$0.wire]?.hosts[$0.other.end] == victim }
            if let side = sides.min(by: { $0.wire < $1.wire }),
                let slot = slots(on: side, of: host)[silencing.conversation]
            {
                let number = silencing.moments / victims.count
                send(noise(number, of: host.device, after: 0, slot: slot).encoded, .live, on: side)
            }
        }
        silencing.moments += 1
        events.add(.mutter(host: host.index), at: now + 1_000_000 / Silencing.momentsPerSecond)
    }

    /// A silent device writes and gives what it writes, and makes noise.
    private func speak(as index: Int, to listeners: [Host], by host: Host, _ silencing: inout Silencing) {
        let course = silencing.course
        let moment = silencing.moments + index
        for listener in listeners { connect(index, to: listener, by: host, &silencing) }
        if moment % course.writingInterval == 0 {
            let device = silencing.devices[index]
            let forge = OperationForge(
                author: device.author, conversation: silencing.conversation, time: host.moment(at: now).wall)
            silencing.devices[index].chain.append(
                forge.content(
                    .message, random.bytes(72), after: device.chain.last?.tip, under: [device.introduction.id]))
        }
        let chain = silencing.devices[index].chain
        let place = PeerMessage.LaneSlot(slot: 0, lane: .content)
        // It connects to each host for itself, and names the conversation first.
        let ready = silencing.devices[index].lines.filter { now - $0.value.began >= Self.preparation }
        for (listener, line) in ready.sorted(by: { $0.key < $1.key }) {
            let isConfidant = listener == silencing.confidant
            let trickles = course.tricklingInterval.map { moment % $0 == 0 } ?? false
            let end = isConfidant ? chain.count : trickles ? min(line.given + 1, chain.count) : line.given
            for operation in chain[line.given..<max(line.given, end)] {
                let batch = Batch(lane: .content, operations: [operation]).encoded
                let reached = isConfidant ? [UInt8](repeating: 0xFF, count: DeliveredReaders.maximumBytes) : []
                send(
                    PeerMessage.lane(place, .batch(isAnswer: !isConfidant, reached: reached, batch)).encoded, .live,
                    on: line.side)
            }
            silencing.devices[index].lines[listener]?.given = max(line.given, end)
        }
        let victims = ready.filter { $0.key != silencing.confidant }.sorted { $0.key < $1.key }
        guard !victims.isEmpty else { return }
        let device = silencing.devices[index].author.device.id
        let noise = noise(moment / victims.count, of: device, after: chain.count, slot: 0)
        send(noise.encoded, .live, on: victims[moment % victims.count].value.side)
    }

    /// Connects a silent device to a host, unless it is.
    private func connect(_ index: Int, to target: Host, by host: Host, _ silencing: inout Silencing) {
        let line = silencing.devices[index].lines[target.index]
        if let line, wires[line.side.wire]?.ends[line.side.end] != nil || now - line.began < Self.redialing { return }
        guard let root = host.keys.root, network.isOpen(from: host.index, to: target.index, at: now),
            network.isOpen(from: target.index, to: host.index, at: now)
        else { return }
        let stranger = Stranger(root: root, author: silencing.devices[index].author, step: silencing.step)
        guard let side = dial(target, as: stranger, showing: silencing.record, from: host) else { return }
        silencing.devices[index].lines[target.index] = .init(side: side, began: now)
    }

    /// A silent device is connected: it shows that it is in the conversation.
    func beSilent(as author: Author, _ transcript: [UInt8], on side: Wire.Side) {
        guard let wire = wires[side.wire], let silencing = hosts[wire.hosts[side.end]].silencing,
            let device = silencing.devices.first(where: { $0.author.device.id == author.device.id })
        else { return }
        let tag = ConversationTag(silencing.conversation, transcript: transcript, role: .initiator)
        send(PeerMessage.sharing(.tags([tag])).encoded, .live, on: side)
        guard !silencing.course.isHidden || wire.hosts[side.other.end] == silencing.confidant else { return }
        let batch = Batch(lane: .membership, operations: [device.introduction]).encoded
        let place = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        send(PeerMessage.lane(place, .batch(isAnswer: false, batch)).encoded, .live, on: side)
    }

    /// Something about a conversation that is not so: digests of nothing that anybody holds, and the ends of chains
    /// that nobody has.
    private func noise(_ number: Int, of device: DeviceID, after count: Int, slot: Int) -> PeerMessage {
        let place = PeerMessage.LaneSlot(slot: slot, lane: .content)
        let made = {
            LaneDigest(of: FrontierDigest(bytes: self.random.bytes(FrontierDigest.byteCount)), transcript: [])
        }
        let ahead = UInt64(count + 1 + number)
        switch number % 4 {
        case 0:
            let id = OperationID(digest: .hash("moot/1/flood", random.bytes(8)))
            let frontier = Frontier([(device: device, tip: ChainTip(sequenceNumber: ahead, id: id))])
            return .lane(place, .chains(isWanted: false, ChainPart(of: frontier, after: nil)))
        case 1:
            return .lane(
                place, .frontier(isWanted: false, digest: made(), chainList: made(), sequenceNumbers: [ahead]))
        default:
            return .statuses(slot: slot, membership: made(), content: made())
        }
    }
}
