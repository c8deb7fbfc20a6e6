import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// People with whom Alice shares nothing, before their node.
@Suite("Strangers")
struct StrangerStories {
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let alice: Person
    private let keys: NodeCore.Keys
    private let moment = StrangerGroupFixture.moment
    private var random = SeededRandom(seed: 1)

    init() throws {
        alice = Person(using: &random)
        keys = alice.nodeKeys(using: &random)
    }

    private func start() throws(StoreError) -> NodeCore {
        try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: [],
            random: SeededRandom(seed: 2), at: moment)
    }

    private func later(_ seconds: Int) -> Moment {
        Moment(monotonic: Instant(sinceStart: .seconds(seconds)), wall: moment.wall)
    }

    /// Connects somebody from a host, who says hello.
    @discardableResult
    private func connect(
        _ person: Person, from host: String = "10.0.0.2", source: LinkSource? = nil, named name: String = "Mallory",
        to core: inout NodeCore, at moment: Moment? = nil
    ) throws -> PeerHandle {
        let moment = moment ?? self.moment
        let handle = core.begin(to: nil, at: Endpoint(host: host, port: 1), from: source, moment: moment)
        let identity = PeerIdentity(device: person.author.device, record: person.credentials.identity)
        core.handle(.established(identity, transcript: Array(repeating: 7, count: 64), on: handle), at: moment)
        let card = try #require(person.card(name: name))
        let hello = PeerMessage.people(
            .hello(
                replicaEpoch: Array(repeating: 2, count: 16), port: 47_470, Introduction(card: card, wraps: []).encoded)
        )
        core.handle(.received(ReceivedMessage(decoding: hello.encoded), on: handle), at: moment)
        return handle
    }

    private func isConnected(_ person: Person, to core: NodeCore) -> Bool {
        core.connectedDevices.contains(person.device)
    }

    @Test
    func `are known while they are nearby, and nothing of them stays`() throws {
        var story = self
        var core = try start()
        let mallory = Person(using: &story.random)
        let handle = try connect(mallory, to: &core)
        #expect(core.contacts[mallory.user].name == "Mallory")
        #expect(try disk.profiles().map(\.card.user) == [core.me])
        #expect(try disk.credentials().map(\.user) == [core.me])
        core.handle(.ended(handle, reason: "goodbye"), at: moment)
        core.handle(.tick, at: later(899))
        #expect(core.contacts[mallory.user].name == "Mallory")
        #expect(try disk.profiles().map(\.card.user) == [core.me])
        #expect(try disk.credentials().map(\.user) == [core.me])
        _ = core.takeEffects()
        core.handle(.tick, at: later(900))
        #expect(!core.contacts.knows(mallory.user))
        #expect(core.contacts.all.map(\.user) == [core.me])
        let told = core.takeEffects().contains { effect in
            guard case .show(.forgotten(let user)) = effect else { return false }
            return user == mallory.user
        }
        #expect(told, "whoever shows the people nearby takes them out")
    }

    @Test
    func `whom Alice verified, blocked or talks to are kept, with what they showed before`() throws {
        var story = self
        var core = try start()
        let people = (0..<3).map { _ in Person(using: &story.random) }
        let handles = try people.map { try connect($0, to: &core) }
        try core.setVerified(true, of: people[0].user, at: moment)
        try core.setBlocked(true, of: people[1].user, at: moment)
        _ = try core.openDirect(with: people[2].user, at: moment)
        for handle in handles { core.handle(.ended(handle, reason: "goodbye"), at: moment) }
        core.handle(.tick, at: moment)
        for person in people { #expect(core.contacts[person.user].name == "Mallory") }
        let again = try start()
        for person in people { #expect(again.contacts[person.user].name == "Mallory") }
    }

    @Test(arguments: [PeerMessage.maximumAddresses - 1, PeerMessage.maximumAddresses, PeerMessage.maximumAddresses + 1])
    func `are told where so many others can be reached, in parts`(count: Int) throws {
        var story = self
        var core = try start()
        // Verified, or there would be no room for so many.
        for number in 0..<count {
            let person = Person(using: &story.random)
            try connect(person, from: "10.0.1.\(number)", to: &core)
            try core.setVerified(true, of: person.user, at: moment)
        }
        _ = core.takeEffects()
        // The others were strangers when they came, and of strangers one a second is told of.
        let newcomer = try connect(Person(using: &story.random), from: "10.0.2.1", to: &core, at: later(2))
        let told = try core.takeEffects().compactMap { effect -> [PeerAddress]? in
            guard case .send(newcomer, let bytes, _) = effect,
                case .people(.addresses(let places)) = try PeerMessage(decoding: bytes)
            else { return nil }
            return places
        }
        #expect(told.joined().count == count)
        #expect(Set(told.joined().map(\.address)).count == count)
    }

    @Test
    func `who is on the disk goes at a start, but for those whom the user verified`() throws {
        var story = self
        var before = try start()
        let (verified, stranger) = (Person(using: &story.random), Person(using: &story.random))
        for person in [verified, stranger] {
            #expect(try disk.save(try #require(person.card(name: "Bob")), seenAt: moment.wall))
            try disk.save(person.credentials)
        }
        try before.setVerified(true, of: verified.user, at: moment)
        let core = try start()
        #expect(core.contacts.knows(verified.user))
        #expect(!core.contacts.knows(stranger.user))
        #expect(try !disk.profiles().map(\.card.user).contains(stranger.user))
        #expect(try !disk.credentials().map(\.user).contains(stranger.user))
    }

    @Test
    func `are so many in all and of one host, and those who were there go only after a while`() throws {
        var story = self
        var core = try start()
        let crowd = (0..<200).map { _ in Person(using: &story.random) }
        for person in crowd { try connect(person, from: "10.0.0.66", to: &core) }
        #expect(core.connectedDevices.count == NodeCore.maximumStrangersPerHost)
        // Another host is not kept out by the first.
        for (number, person) in crowd.enumerated() { try connect(person, from: "10.0.1.\(number)", to: &core) }
        #expect(core.connectedDevices.count == NodeCore.maximumStrangers)
        let newcomer = Person(using: &story.random)
        try connect(newcomer, from: "10.0.2.1", to: &core)
        #expect(core.connectedDevices.count == NodeCore.maximumStrangers)
        try connect(newcomer, from: "10.0.2.1", to: &core, at: later(61))
        #expect(isConnected(newcomer, to: core))
        #expect(core.connectedDevices.count == NodeCore.maximumStrangers)
    }

    @Test
    func `never take the place of people whom Alice talks to`() throws {
        var story = self
        var core = try start()
        let bob = Person(using: &story.random)
        try connect(bob, from: "10.0.0.66", to: &core)
        _ = try core.openDirect(with: bob.user, at: moment)
        for number in 0..<300 {
            try connect(
                Person(using: &story.random), from: "10.0.\(number % 4).66", to: &core, at: later(number))
        }
        #expect(isConnected(bob, to: core))
        #expect(core.connectedDevices.count <= NodeCore.maximumStrangers + 1)
    }

    /// All addresses of this host, an IPv6 network, accounts that one account made for itself.
    @Test(arguments: [nil, "fd00::", "accounts"] as [String?])
    func `keep nobody of another network out, however many addresses one of them has`(network: String?) throws {
        var story = self
        var core = try start()
        for number in 0..<200 {
            let source = network.map { LinkSource(place: "\($0)\(number)", network: $0) }
            try connect(Person(using: &story.random), from: "127.0.0.\(number)", source: source, to: &core)
        }
        let bob = Person(using: &story.random)
        try connect(bob, from: "10.0.3.1", to: &core, at: later(1))
        #expect(isConnected(bob, to: core))
    }

    @Test
    func `have places by account, where two accounts of this host are told apart`() throws {
        var story = self
        var core = try start()
        let account = { (number: Int) in LinkSource(place: "account \(number)", network: "account \(number)") }
        for _ in 0..<100 {
            try connect(Person(using: &story.random), from: "127.0.0.2", source: account(1_001), to: &core)
        }
        #expect(core.connectedDevices.count == NodeCore.maximumStrangersPerHost)
        let bob = Person(using: &story.random)
        try connect(bob, from: "127.0.0.1", source: account(1_002), to: &core)
        #expect(isConnected(bob, to: core))
    }

    @Test(arguments: [15, 16, 17, 40])
    func `and people whom Alice verified have so many places each, however many devices they certify`(count: Int) throws
    {
        var story = self
        var core = try start()
        let bob = Person(using: &story.random)
        try connect(bob, to: &core)
        try core.setVerified(true, of: bob.user, at: moment)
        for number in 1..<count {
            let device = Device(user: bob.user, key: Person(using: &story.random).author.device.key)
            let record = IdentityRecord(
                root: bob.root, serial: UInt64(number + 1), devices: [.init(device: device, name: "")])
            let handle = core.begin(to: nil, at: Endpoint(host: "10.0.3.\(number)", port: 1), moment: moment)
            core.handle(
                .established(
                    PeerIdentity(device: device, record: record), transcript: Array(repeating: 7, count: 64), on: handle
                ), at: moment)
        }
        let places = core.links.values.count { $0.identity?.device.user == bob.user }
        #expect(places == min(count, NodeCore.maximumLinksPerPerson))
    }

    @Test
    func `and people whom Alice verified never keep out a device of Alice's own`() throws {
        var story = self
        var core = try start()
        for number in 0..<NodeCore.maximumPeerLinks {
            let person = Person(using: &story.random)
            try connect(person, from: "10.1.\(number / 256).\(number % 256)", to: &core)
            try core.setVerified(true, of: person.user, at: moment)
        }
        try connect(Person(using: &story.random), from: "10.0.2.1", to: &core)
        #expect(core.connectedDevices.count == NodeCore.maximumPeerLinks)
        let phone = Person(root: alice.root, using: &story.random).author.device
        let devices = [alice.author.device, phone].map { IdentityRecord.Entry(device: $0, name: "") }
        let identity = PeerIdentity(
            device: phone, record: IdentityRecord(root: alice.root, serial: 2, devices: devices))
        let handle = core.begin(to: nil, at: Endpoint(host: "10.0.2.2", port: 1), moment: moment)
        core.handle(.established(identity, transcript: Array(repeating: 7, count: 64), on: handle), at: moment)
        #expect(core.connectedDevices.contains(phone.id))
    }

    @Test
    func `keep no places as people of a group that one of them brought`() throws {
        var story = self
        var core = try start()
        let crowd = (0..<200).map { _ in Person(using: &story.random) }
        let bringer = try connect(crowd[0], from: "10.0.1.0", to: &core)
        let nonce = Array(repeating: 9 as UInt8, count: MembershipBody.nonceByteCount)
        let creation = ConversationLog.creation(
            body: MembershipBody.create(nonce: nonce, founder: crowd[0].credentials).encoded, by: crowd[0].author,
            at: moment.wall)
        var log = ConversationLog(
            conversation: ConversationID(createdBy: creation.id), root: .group,
            introductions: MembershipBody.introductions(of:))
        var written = [try log.begin(with: creation)]
        for people in [Array(crowd[1..<100]), Array(crowd[100...])] {
            let body = MembershipBody.add(
                under: .grant(operation: creation.id, slot: 0),
                targets: [core.ownCredentials] + people.map(\.credentials))
            written += try log.write(
                membership: [.init(type: body.type, body: body.encoded)], by: crowd[0].author, at: moment.wall)
        }
        core.handle(
            .received(
                ReceivedMessage(decoding: PeerMessage.sharing(.announce(log.conversation, .group)).encoded), on: bringer
            ),
            at: moment)
        core.admit(
            Batch(lane: .membership, operations: written.map(\.operation)).encoded, to: log.conversation,
            lane: .membership, from: bringer)
        #expect(core.replicas[log.conversation]?.group.isMember(crowd[199].user) == true)
        for (number, person) in crowd.enumerated() { try connect(person, from: "10.0.1.\(number)", to: &core) }
        #expect(core.connectedDevices.count == NodeCore.maximumStrangers)
    }

    @Test
    func `cannot keep Alice from writing to Bob by calling their conversation a group`() throws {
        var story = self
        var core = try start()
        let (bob, mallory) = (Person(using: &story.random), Person(using: &story.random))
        try connect(bob, to: &core)
        let handle = try connect(mallory, to: &core)
        let id = ConversationID(directBetween: core.me, and: bob.user)
        core.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, .group)).encoded), on: handle),
            at: moment)
        #expect(core.replicas[id]?.isDirect == false)
        #expect(try core.openDirect(with: bob.user, at: moment) == id)
        #expect(core.replicas[id]?.isDirect == true)
        #expect(core.replicas[id]?.group.isMember(bob.user) == true)
    }

    @Test
    func `cannot keep Bob from writing to Alice by calling their conversation a group`() throws {
        var story = self
        var core = try start()
        let (bob, mallory) = (Person(using: &story.random), Person(using: &story.random))
        let (bobs, handle) = (try connect(bob, to: &core), try connect(mallory, to: &core))
        let id = ConversationID(directBetween: core.me, and: bob.user)
        let root = ConversationRoot.direct(min(core.me, bob.user), max(core.me, bob.user))
        core.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, .group)).encoded), on: handle),
            at: moment)
        core.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, root)).encoded), on: bobs), at: moment
        )
        #expect(core.replicas[id]?.isDirect == true)
        // And once it is what it is, nobody can call it anything else.
        core.handle(
            .received(ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, .group)).encoded), on: handle),
            at: moment)
        #expect(core.replicas[id]?.isDirect == true)
    }

    @Test
    func `cost the others a word each no more than so often`() throws {
        var story = self
        var core = try start()
        let bob = Person(using: &story.random)
        let handle = try connect(bob, to: &core)
        _ = core.takeEffects()
        var words = 0
        for number in 0..<300 {
            let stranger = try connect(Person(using: &story.random), from: "10.0.1.\(number % 250)", to: &core)
            core.handle(.ended(stranger, reason: "goodbye"), at: moment)
            for case .send(handle, let message, _) in core.takeEffects() where message.first == 14 { words += 1 }
        }
        #expect(words <= 64)
    }

    @Test
    func `bring so many conversations that Alice has not touched, and people they write to bring more`() throws {
        var story = self
        var core = try start()
        let direct = { (person: Person, core: NodeCore) in
            PeerMessage.sharing(
                .announce(
                    ConversationID(directBetween: core.me, and: person.user),
                    .direct(min(core.me, person.user), max(core.me, person.user))))
        }
        // One after the other writes to Alice and stays for a while: of 30 hosts ten each, and then nine of another.
        var lasting = 0
        for number in 0..<309 {
            let person = Person(using: &story.random)
            let host = number < 300 ? "10.1.0.\(number % 30)" : "10.1.1.1"
            let time = later(number < 300 ? number * 2 : number * 60)
            let handle = try connect(person, from: host, to: &core, at: time)
            core.handle(.received(ReceivedMessage(decoding: direct(person, core).encoded), on: handle), at: time)
            let id = ConversationID(directBetween: core.me, and: person.user)
            guard let replica = core.replicas[id] else { continue }
            lasting += 1
            var log = replica.log
            let body = MembershipBody.device(own: person.credentials)
            let written = try log.write(
                membership: [.init(type: body.type, body: body.encoded)], by: person.author, at: moment.wall)
            core.admit(
                Batch(lane: .membership, operations: written.map(\.operation)).encoded, to: id, lane: .membership,
                from: handle)
        }
        // Whoever filled the rest has left room for a few of each other host.
        #expect(lasting == NodeCore.maximumRequests + 8)
        #expect(core.replicas.count == lasting)
    }

    @Test
    func `keep nobody out by announcing what does not exist`() throws {
        var story = self
        var core = try start()
        for number in 0..<16 {
            let handle = try connect(Person(using: &story.random), from: "10.2.0.\(number)", to: &core)
            for _ in 0..<32 {
                let id = ConversationID(digest: .hash("test", story.random.bytes(32)))
                core.handle(
                    .received(
                        ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, .group)).encoded), on: handle),
                    at: moment)
            }
        }
        #expect(core.replicas.count > NodeCore.maximumRequests)
        let bob = Person(using: &story.random)
        let handle = try connect(bob, from: "10.2.1.1", named: "Bob", to: &core)
        let id = ConversationID(directBetween: core.me, and: bob.user)
        let users = [core.me, bob.user].sorted()
        core.handle(
            .received(
                ReceivedMessage(decoding: PeerMessage.sharing(.announce(id, .direct(users[0], users[1]))).encoded),
                on: handle),
            at: moment)
        #expect(core.replicas[id] != nil)
    }

    @Test
    func `do not fill the log`() throws {
        var story = self
        var core = try start()
        var notes = 0
        for number in 0..<1_000 {
            let handle = try connect(
                Person(using: &story.random), from: "10.0.\(number % 4).\(number / 4)", to: &core)
            core.handle(.ended(handle, reason: "goodbye"), at: moment)
            for case .note in core.takeEffects() { notes += 1 }
        }
        #expect(notes < 100)
    }
}
