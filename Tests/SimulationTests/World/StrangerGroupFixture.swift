import Conversations
import Cryptography
import Membership
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node, and apart from it Bob's group with Carol as moderator, of which Alice hears what others tell.
struct StrangerGroupFixture {
    static let moment = Moment(monotonic: Instant(sinceStart: .zero), wall: Timestamp(clamping: 1_800_000_000_000))
    private static let peer = PeerHandle(rawValue: 1_000)

    let bob, carol, dave: Person
    var alice: NodeCore
    private(set) var log: ConversationLog
    private(set) var group: Group

    init() throws {
        var random = SeededRandom(seed: 1)
        let person = Person(using: &random)
        let (bob, carol) = (Person(using: &random), Person(using: &random))
        (self.bob, self.carol, dave) = (bob, carol, Person(using: &random))
        let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
        alice = try NodeCore(
            keys: person.nodeKeys(using: &random), storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk",
            staticPeers: [], random: SeededRandom(seed: 2), at: Self.moment)
        let nonce = Array(repeating: 9 as UInt8, count: MembershipBody.nonceByteCount)
        let creation = ConversationLog.creation(
            body: MembershipBody.create(nonce: nonce, founder: bob.credentials).encoded, by: bob.author,
            at: Self.moment.wall)
        let conversation = ConversationID(createdBy: creation.id)
        log = ConversationLog(
            conversation: conversation, root: .group, introductions: MembershipBody.introductions(of:))
        group = Group(conversation: conversation, root: .group)
        group.insert([try log.begin(with: creation).operation])
        try decide(bob) { .add(under: $0, targets: [carol.credentials]) }
        try decide(bob) { .promote(under: $0, target: carol.user, role: .moderator) }
        alice.open(conversation, root: .group)
    }

    /// The group as Alice's node holds it.
    var held: Group {
        get throws { try #require(alice.replicas[log.conversation]?.group) }
    }

    /// Whether Alice is to say whether the group is theirs.
    var isAsked: Bool {
        get throws { alice.awaitsConsent(try #require(alice.replicas[log.conversation])) }
    }

    /// A person writes what they may.
    @discardableResult
    mutating func decide(
        _ person: Person, at time: Timestamp = moment.wall, _ body: (MembershipBody.Authority) -> MembershipBody
    ) throws -> OperationID {
        guard case .granted(let authority)? = group.permission(for: body, by: person.user) else { throw Misfortune() }
        return try write(body(authority), by: person, at: time)
    }

    /// A person writes.
    @discardableResult
    mutating func write(
        _ body: MembershipBody, by person: Person, at time: Timestamp = moment.wall
    ) throws -> OperationID {
        let written = try log.write(
            membership: [.init(type: body.type, body: body.encoded)], by: person.author, at: time)
        group.insert(written.map(\.operation))
        return try #require(written.last).operation.id
    }

    /// Alice's node hears what others hold: those of their side, unless it is said who.
    mutating func tell(_ other: ConversationLog? = nil) {
        let held = (other ?? log).membership.operations
        alice.admit(
            Batch(lane: .membership, operations: held).encoded, to: log.conversation, lane: .membership,
            from: Self.peer)
    }

    /// The others hear what Alice's node has written.
    mutating func listen() throws {
        let held = try #require(alice.replicas[log.conversation]).log.membership.operations
        let news = held.filter { !log.membership.contains($0.id) }
        guard !news.isEmpty else { return }
        guard
            case .admitted(let admitted) = try log.admit(
                Batch(lane: .membership, operations: news), using: MemoryIndex())
        else { throw Misfortune() }
        group.insert(admitted.map(\.operation))
    }

    /// Who may read what is written on the others' side now.
    mutating func view() throws -> View {
        let view = group.view(at: log.membership.heads, in: log.membership)
        return try #require(view)
    }

    /// A person writes content.
    mutating func write(
        content drafts: [ConversationLog.Draft], by person: Person, at time: Timestamp = moment.wall
    ) throws -> [Operation] {
        try log.write(content: drafts, by: person.author, at: time).map(\.operation)
    }

    /// Alice's node hears content of the others.
    mutating func tell(content: [Operation], from peer: PeerHandle = peer, isAnswer: Bool = false) {
        alice.admit(
            Batch(lane: .content, operations: content).encoded, to: log.conversation, lane: .content, from: peer,
            isAnswer ? .answer : .push(reached: []))
    }

    /// Makes Alice a member.
    mutating func addAlice() throws {
        let credentials = alice.ownCredentials
        try decide(bob) { .add(under: $0, targets: [credentials]) }
        tell()
        try listen()
    }

    /// Alice's process ends, and another one begins with what is on its disk.
    mutating func restart() throws {
        alice = try NodeCore(
            keys: alice.keys, storage: alice.storage, blobs: alice.fileExchange.storage, names: ["Alice"],
            deviceName: "desk",
            staticPeers: [], random: SeededRandom(seed: 3), at: Self.moment)
        try alice.start(onPort: 1, discovers: false, at: Self.moment)
    }

    /// A person makes a code that is good for an hour.
    mutating func makeCode(by person: Person) throws -> InviteOffer {
        let key = try #require(SigningKey(seed: Array(repeating: 5, count: SigningKey.seedByteCount)))
        let end = Timestamp(clamping: Self.moment.wall.milliseconds + 3_600_000)
        let invite = try decide(person) { .invite(under: $0, .holder(of: key.verifyingKey, until: end)) }
        return InviteOffer(
            conversation: log.conversation, invite: invite, key: key, end: end, device: person.device,
            places: ["192.0.2.7:47470"])
    }

    /// Connects Alice's node with a person.
    mutating func connect(to person: Person) -> PeerHandle {
        let handle = alice.begin(to: nil, at: Endpoint(host: "192.0.2.8", port: 1), moment: Self.moment)
        alice.links[handle]?.identity = PeerIdentity(device: person.author.device, record: person.credentials.identity)
        return handle
    }

    /// Something was not as the story says.
    struct Misfortune: Error {}
}
