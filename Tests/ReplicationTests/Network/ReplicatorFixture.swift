import Cryptography
import OperationLog
import OperationLogFixtures
import Time

@testable import Replication

/// Several hosts with real replicators and logs on a network that is a list of messages and a clock that is a number.
///
/// Messages of one link arrive in order after a random latency; everything else follows from the seed.
struct ReplicatorFixture {
    struct Host {
        let person: Person
        var replicator: Replicator
        var log: ConversationLog
        let index = MemoryIndex()
        /// Everything held, in the order it came.
        var held: [Lane: [Operation]] = [:]
        var waiting: [Batch] = []
        var answers: [Answer: [Operation]] = [:]
        /// Receipts are only numbers here.
        var receipts: [Int: UInt8] = [:]
        /// For which devices the last of them were.
        var absent: [DeviceID] = []
        /// What others said they hold of receipts, and which.
        var digests: [Int: HeardReceiptDigest] = [:]
        var versions: [Int: [ReceiptVersion]] = [:]
        /// How far others said they hold its own chain of the membership lane.
        var heldBy: [Int: UInt64] = [:]
        var wake: Instant?
        /// Whether it answers nobody, though its connections stand.
        var isStuck = false
        /// Whether its kernel acknowledges what comes all the same.
        var acknowledges = false
        /// How many content operations it holds at most.
        var room: Int?
        /// Whom it says it reaches with what it writes; nil for those whom it does.
        var reached: [UInt8]?
    }

    struct Answer: Hashable {
        let peer: PeerHandle
        let lane: Lane
    }

    struct Link: Hashable {
        let from: Int
        let to: Int
    }

    private struct Request {
        let host: Int
        let effect: Replicator.Effect
    }

    private struct Flight {
        let link: Link
        let bytes: [UInt8]
        let arrival: Instant
        let life: Int
    }

    static let batchLength = 64

    let conversation: ConversationID
    var hosts: [Host]
    private(set) var now = Instant(sinceStart: .zero)
    private(set) var connected: Set<Link> = []
    private(set) var bans: [(by: Int, device: DeviceID)] = []
    private(set) var stalls = 0
    private(set) var disconnections = 0
    /// Bytes of messages handed to the network, and how many content operations arrived in batches.
    private(set) var sentBytes = 0
    private(set) var sentMessages = 0
    /// How many messages of each kind.
    private(set) var sentKinds: [UInt8: Int] = [:]
    private(set) var copies = 0
    /// What the hosts asked for and is not done yet; nil while nobody asks for anything.
    private var requests: ArraySlice<Request>?
    private var flights: [Flight] = []
    private var lives: [Link: Int] = [:]
    private var lastArrival: [Link: Instant] = [:]
    private var clock = Timestamp(clamping: 1_700_000_000_000)
    private var random: SplitMix64

    /// Founds a group of hosts that know each other and hold the creation; nobody is connected.
    ///
    /// - Parameter devices: how many hosts each of the last people has; those before them have one.
    init(hosts count: Int, seed: UInt64, withMoreOf devices: [Int] = []) throws {
        var random = SplitMix64(seed: seed)
        var people: [Person] = []
        for _ in 0..<count { people.append(Person(using: &random)) }
        for number in devices {
            let person = Person(using: &random)
            people.append(person)
            for _ in 1..<number { people.append(Person(root: person.root, using: &random)) }
        }
        let creation = ConversationLog.creation(
            body: PlainIntroductions.body(of: people), by: people[0].author, at: clock)
        conversation = ConversationID(createdBy: creation.id)
        hosts = []
        let audience = Dictionary(people.map { ($0.user, MembershipStatus.member) }) { first, _ in first }
        for person in people {
            let replicator = Replicator(device: person.author.device, replicaEpoch: random.bytes(16), introduction: [])
            hosts.append(Host(person: person, replicator: replicator, log: Room.emptyLog(of: conversation)))
        }
        self.random = random
        for host in hosts.indices {
            _ = try hosts[host].log.admit(Batch(lane: .membership, operations: [creation]), using: hosts[host].index)
            hosts[host].held[.membership] = [creation]
            try handle(
                .opened(
                    conversation, .group, membership: hosts[host].log.membershipFrontier,
                    content: hosts[host].log.contentFrontier), at: host)
            try handle(.audienceChanged(conversation, audience), at: host)
        }
    }

    /// Hosts that are all connected, but for some pairs, and have nothing left to say.
    static func inSync(hosts count: Int, seed: UInt64 = 3, without missing: [(Int, Int)] = []) throws
        -> ReplicatorFixture
    {
        var fixture = try ReplicatorFixture(hosts: count, seed: seed)
        for first in 0..<count {
            for second in first + 1..<count where !missing.contains(where: { $0 == (first, second) }) {
                try fixture.connect(first, second)
            }
        }
        try fixture.run(for: .seconds(5))
        return fixture
    }

    /// How a host calls its connection to another.
    static func handle(of other: Int) -> PeerHandle { PeerHandle(rawValue: UInt64(other + 1)) }

    // MARK: - What happens

    /// Connects two hosts; the first has dialed.
    mutating func connect(_ first: Int, _ second: Int) throws {
        let transcript = random.bytes(64)
        for (one, other, role) in [(first, second, HandshakeState.Role.initiator), (second, first, .responder)] {
            let link = Link(from: one, to: other)
            connected.insert(link)
            lives[link, default: 0] += 1
            let person = hosts[other].person
            let record = IdentityRecord(
                root: person.root, serial: 1, devices: [.init(device: person.author.device, name: "")])
            let identity = PeerIdentity(device: person.author.device, record: record)
            try handle(
                .connected(Self.handle(of: other), identity, transcript: transcript, role: role), at: one)
        }
    }

    /// Cuts a connection; what is on its way is lost.
    mutating func disconnect(_ first: Int, _ second: Int) throws {
        for (one, other) in [(first, second), (second, first)] {
            connected.remove(Link(from: one, to: other))
            hosts[one].answers = hosts[one].answers.filter { $0.key.peer != Self.handle(of: other) }
            try handle(.disconnected(Self.handle(of: other)), at: one)
        }
    }

    /// From now on a host knows some hosts as members, and nobody else.
    mutating func know(_ members: [Int], at host: Int) throws {
        let audience = Dictionary(members.map { (hosts[$0].person.user, MembershipStatus.member) }) { first, _ in first
        }
        try handle(.audienceChanged(conversation, audience), at: host)
    }

    mutating func connectAll() throws {
        for first in hosts.indices { for second in hosts.indices where second > first { try connect(first, second) } }
    }

    /// A host writes messages, each in a commit of its own.
    mutating func write(_ count: Int, at host: Int) throws {
        for _ in 0..<count {
            clock = Timestamp(clamping: clock.milliseconds + 7)
            let written = try hosts[host].log.write(
                content: [.init(type: .message, body: random.bytes(20))], by: hosts[host].person.author, at: clock)
            try keep(written, lane: .content, at: host)
        }
    }

    /// A message that a host has written and keeps to itself.
    ///
    /// - Parameter isLast: whether it writes the next one after it, and not once more in its place.
    mutating func draft(at host: Int, isLast: Bool = false) throws -> Batch {
        var log = hosts[host].log
        let written = try log.write(
            content: [.init(type: .message, body: random.bytes(20))], by: hosts[host].person.author, at: clock)
        if isLast { hosts[host].log = log }
        return Batch(lane: .content, operations: written.map(\.operation))
    }

    /// A host sends another what it wrote, and says whom it reaches.
    mutating func push(_ batch: Batch, reached: [UInt8], from sender: Int, to receiver: Int) throws {
        let slots = hosts[sender].replicator.slots(for: Self.handle(of: receiver))
        let slot = PeerMessage.LaneSlot(slot: slots[conversation] ?? 0, lane: .content)
        let message = PeerMessage.lane(slot, .batch(isAnswer: false, reached: reached, batch.encoded))
        try deliver(message.encoded, from: sender, to: receiver)
    }

    /// A host writes a membership operation that introduces nobody.
    mutating func decide(at host: Int) throws {
        clock = Timestamp(clamping: clock.milliseconds + 7)
        let written = try hosts[host].log.write(
            membership: [.init(type: .merge, body: [])], by: hosts[host].person.author, at: clock)
        try keep(written, lane: .membership, at: host)
    }

    /// A host's device goes on twice from one place of its chain; another host gets the one branch, a third the other.
    ///
    /// - Parameter lengths: how many operations each branch has.
    mutating func fork(by host: Int, to first: Int, and second: Int, lengths: (Int, Int) = (1, 1)) throws {
        for (receiver, text, length) in [(first, UInt8(1), lengths.0), (second, UInt8(2), lengths.1)] {
            var twin = hosts[host].log
            for _ in 0..<length {
                let written = try twin.write(
                    content: [.init(type: .message, body: [text])], by: hosts[host].person.author, at: clock)
                try take(Batch(lane: .content, operations: written.map(\.operation)), at: receiver)
            }
        }
    }

    /// A host's device begins its chain so many times; the others get the branches in turn.
    mutating func fork(by host: Int, branches: Int, to receivers: [Int]) throws {
        for branch in 0..<branches {
            var twin = hosts[host].log
            let written = try twin.write(
                content: [.init(type: .message, body: [UInt8(branch & 0xFF), UInt8(branch >> 8)])],
                by: hosts[host].person.author, at: clock)
            let receiver = receivers[branch % receivers.count]
            try take(Batch(lane: .content, operations: written.map(\.operation)), at: receiver)
        }
    }

    /// A host introduces many devices, each of which writes something; all hosts know the devices, and get what they
    /// wrote in turn.
    mutating func crowd(_ count: Int, by host: Int, to receivers: [Int]) throws {
        var devices: [Person] = []
        for _ in 0..<count { devices.append(Person(using: &random)) }
        for start in stride(from: 0, to: count, by: 250) {
            let part = Array(devices[start..<min(count, start + 250)])
            let written = try hosts[host].log.write(
                membership: [.init(type: .set, body: PlainIntroductions.body(of: part))], by: hosts[host].person.author,
                at: clock)
            try keep(written, lane: .membership, at: host, .fetched)
            let batch = Batch(lane: .membership, operations: written.map(\.operation))
            for other in hosts.indices where other != host { try take(batch, at: other) }
        }
        for (number, device) in devices.enumerated() {
            var twin = hosts[host].log
            let written = try twin.write(content: [.init(type: .message, body: [])], by: device.author, at: clock)
            try take(
                Batch(lane: .content, operations: written.map(\.operation)), at: receivers[number % receivers.count])
        }
    }

    /// A host tells all the others of a receipt, what it holds of receipts, and which.
    mutating func say(_ receipt: UInt8, at host: Int) throws {
        hosts[host].receipts[host] = receipt
        let digest = Digest.hash("moot/1/test", [receipt])
        let version = ReceiptVersion(of: hosts[host].person.device, version: UInt64(receipt), digest: digest)
        for other in hosts.indices where other != host {
            let peer = Self.handle(of: other)
            let absent = [hosts[other].person.device]
            for message in [
                ReceiptMessage.receipts([[UInt8(host), receipt]], absent: absent),
                .digest(ReceiptDigest(of: digest, transcript: transcript(of: other, at: host))), .versions([version]),
            ] {
                try handle(.saying(.receipts(message), of: conversation, to: [peer]), at: host)
            }
        }
    }

    /// Lets time pass.
    mutating func run(for length: Duration) throws {
        let end = now + length
        while true {
            let flight = flights.indices.min { flights[$0].arrival < flights[$1].arrival }
            let timer = hosts.indices.filter { hosts[$0].wake != nil }
                .min { (hosts[$0].wake ?? end, $0) < (hosts[$1].wake ?? end, $1) }
            let arrival = flight.map { flights[$0].arrival }
            let due = timer.flatMap { hosts[$0].wake }
            guard let next = [arrival, due].compactMap({ $0 }).min(), next <= end else { break }
            now = max(now, next)
            if let flight, arrival == next {
                let arrived = flights.remove(at: flight)
                guard connected.contains(arrived.link), lives[arrived.link] == arrived.life else { continue }
                guard !hosts[arrived.link.to].isStuck else { continue }
                try handle(
                    .received(Self.handle(of: arrived.link.from), ReceivedMessage(decoding: arrived.bytes)),
                    at: arrived.link.to)
            } else if let timer {
                hosts[timer].wake = nil
                guard !hosts[timer].isStuck else { continue }
                for peer in hosts[timer].replicator.overduePeers(at: now)
                where hosts[Int(peer.rawValue) - 1].acknowledges {
                    try handle(.acknowledged(peer), at: timer)
                }
                try handle(.tick, at: timer)
            }
        }
        now = end
    }

    /// Whether all hosts hold the same.
    var isConverged: Bool {
        hosts.allSatisfy {
            $0.log.contentFrontier == hosts[0].log.contentFrontier
                && $0.log.membershipFrontier == hosts[0].log.membershipFrontier
        }
    }

    mutating func deliver(_ bytes: [UInt8], from sender: Int, to receiver: Int) throws {
        try handle(.received(Self.handle(of: sender), ReceivedMessage(decoding: bytes)), at: receiver)
    }

    /// So much waits on the connection of a host to another.
    mutating func congest(_ congestion: Congestion, to other: Int, at host: Int) throws {
        try handle(.congested(Self.handle(of: other), congestion), at: host)
    }

    // MARK: - The node around each replicator

    /// Hands an event to a host and does what it asks for, in the order it asks, as `NodeCore` does: what follows from
    /// that comes after.
    mutating func handle(_ event: Replicator.Event, at host: Int) throws {
        let asked = hosts[host].replicator.handle(event, at: now).map { Request(host: host, effect: $0) }
        guard requests == nil else {
            requests?.append(contentsOf: asked)
            return
        }
        requests = asked[...]
        defer { requests = nil }
        while let request = requests?.popFirst() { try perform(request.effect, at: request.host) }
    }

    private mutating func perform(_ effect: Replicator.Effect, at host: Int) throws {
        switch effect {
        case .send(let peer, let bytes, _):
            sentBytes += bytes.count
            sentMessages += 1
            if let kind = bytes.first { sentKinds[kind, default: 0] += 1 }
            let link = Link(from: host, to: Int(peer.rawValue) - 1)
            guard connected.contains(link), let life = lives[link] else { return }
            let latency = Duration.microseconds(Int64.random(in: 100...3_000, using: &random))
            let arrival = max(now + latency, lastArrival[link] ?? now)
            lastArrival[link] = arrival
            flights.append(Flight(link: link, bytes: bytes, arrival: arrival, life: life))
        case .admit(let peer, let conversation, let lane, let bytes, _, let delivery):
            var outcome = Replicator.Outcome.refused
            if let batch = try? Batch(decoding: bytes, of: conversation) {
                if lane == .content { copies += batch.operations.count }
                let count = (hosts[host].held[.content] ?? []).count + batch.operations.count
                let fits = lane == .membership || hosts[host].room.map { count <= $0 } ?? true
                outcome = fits ? try take(batch, at: host, origin(of: delivery, to: host)) : .noRoom
            }
            try handle(.admissionFinished(peer, conversation, lane, bytes: bytes.count, outcome: outcome), at: host)
        case .serve(let peer, let conversation, let lane, let known, _):
            let answer = Answer(peer: peer, lane: lane)
            if let known { hosts[host].answers[answer] = missing(lane, beyond: known, at: host) }
            let rest = hosts[host].answers[answer] ?? []
            let part = Self.signedPrefix(of: rest)
            hosts[host].answers[answer] = Array(rest.dropFirst(part.count))
            let batch = part.isEmpty ? nil : Batch(lane: lane, operations: part).encoded
            try handle(.served(peer, conversation, lane, batch: batch), at: host)
        case .ban(let device):
            bans.append((host, device))
        case .disconnect(let peer, _):
            disconnections += 1
            try disconnect(host, Int(peer.rawValue) - 1)
        case .held(let conversation, let number, let peer):
            if conversation == self.conversation { hosts[host].heldBy[Int(peer.rawValue) - 1] = number }
        case .stalled:
            stalls += 1
        case .wake(let moment):
            hosts[host].wake = min(hosts[host].wake ?? moment, moment)
        case .seek(let peer, let conversation, let chains):
            let held = Set((hosts[host].held[.membership] ?? []).map(\.id))
            let lacking = chains.filter { $0.tips.contains { !held.contains($0.id) } }.map(\.device)
            try handle(.lacking(peer, conversation, lacking), at: host)
        case .heardOf(_, _, .receipts(let message), let peer): take(message, from: Int(peer.rawValue) - 1, at: host)
        case .open, .forgotten, .introduce, .recognized, .examine, .heardOf, .heard:
            break
        }
    }

    /// Takes in what another host says of receipts.
    private mutating func take(_ message: ReceiptMessage, from other: Int, at host: Int) {
        switch message {
        case .digest(let digest):
            hosts[host].digests[other] = HeardReceiptDigest(
                digest: digest, transcript: transcript(of: other, at: host))
        case .versions(let versions): hosts[host].versions[other] = versions
        case .receipts(let receipts, let absent):
            for receipt in receipts { hosts[host].receipts[Int(receipt[0])] = receipt[1] }
            hosts[host].absent = absent
        }
    }

    /// What both sides of a connection have said to begin with.
    func transcript(of other: Int, at host: Int) -> [UInt8] {
        hosts[host].replicator.peers[Self.handle(of: other)]?.transcript ?? []
    }

    /// The shortest stretch of at least ``batchLength`` operations in which the last of every chain is signed.
    private static func signedPrefix(of operations: [Operation]) -> [Operation] {
        var unsigned: Set<DeviceID> = []
        for (index, operation) in operations.enumerated() {
            if operation.signature == nil {
                unsigned.insert(operation.author.id)
            } else {
                unsigned.remove(operation.author.id)
            }
            if index + 1 >= batchLength, unsigned.isEmpty { return Array(operations[...index]) }
        }
        return operations
    }

    private func missing(_ lane: Lane, beyond known: Replicator.Known, at host: Int) -> [Operation] {
        var excluded: Set<OperationID> = []
        for (_, chain) in known.chains {
            guard case .branches(let tips) = chain else { continue }
            var rest = tips
            let operations = Dictionary(uniqueKeysWithValues: (hosts[host].held[lane] ?? []).map { ($0.id, $0) })
            while let id = rest.popLast() {
                guard let operation = operations[id], excluded.insert(id).inserted else { continue }
                if let previous = operation.header.previous { rest.append(previous) }
            }
        }
        return (hosts[host].held[lane] ?? []).filter { operation in
            switch known.chain(of: operation.author.id) {
            case .through(let number): operation.header.sequenceNumber > number
            case .branches: !excluded.contains(operation.id)
            }
        }
    }

    /// What a host makes of a batch that came: here every host has a place among the readers.
    private func origin(of delivery: Replicator.Delivery, to host: Int) -> Replicator.CommitOrigin {
        guard case .push(let reached) = delivery else { return .fetched }
        let unreached = hosts.indices.filter { other in
            let isReached = other / 8 < reached.count && reached[other / 8] & (1 << UInt8(other % 8)) != 0
            return !isReached && connected.contains(Link(from: host, to: other))
        }
        return .pushed(unreached: Set(unreached.map(Self.handle)))
    }

    /// Whom a host reaches, as it says with what it pushes.
    private func reached(by host: Int) -> [UInt8] {
        if let reached = hosts[host].reached { return reached }
        var bytes = [UInt8](repeating: 0, count: (hosts.count + 7) / 8)
        for other in hosts.indices
        where other == host || hosts[host].replicator.reaches(Self.handle(of: other), in: conversation) {
            bytes[other / 8] |= 1 << UInt8(other % 8)
        }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes
    }

    @discardableResult
    private mutating func take(
        _ batch: Batch, at host: Int, _ origin: Replicator.CommitOrigin = .fetched
    ) throws -> Replicator.Outcome {
        switch try hosts[host].log.admit(batch, using: hosts[host].index) {
        case .admitted(let admitted):
            try keep(admitted, lane: batch.lane, at: host, origin)
            let waiting = hosts[host].waiting
            hosts[host].waiting = []
            for batch in waiting { try take(batch, at: host) }
            return .taken
        case .pending:
            hosts[host].waiting.append(batch)
            return .pending
        case .duplicate: return .duplicate
        case .inadmissible: return .ignored
        }
    }

    private mutating func keep(
        _ admitted: [AdmittedOperation], lane: Lane, at host: Int, _ origin: Replicator.CommitOrigin? = nil
    ) throws {
        if lane == .content { hosts[host].index.insert(admitted) }
        hosts[host].held[lane, default: []] += admitted.map(\.operation)
        let push = Replicator.Push(
            batch: Batch(lane: lane, operations: admitted.map(\.operation)), readers: nil, reached: reached(by: host))
        let frontier = hosts[host].log.frontier(of: lane)
        try handle(.committed(conversation, lane, frontier, origin ?? .local(push)), at: host)
    }
}

extension LaneDigest {
    /// The digest of something that nobody holds.
    static let unlike = LaneDigest(bytes: Array(repeating: 51, count: byteCount))
}
