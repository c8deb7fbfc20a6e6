import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

/// Alice's desk holds the root, and links a laptop that shows a code.
@Suite("The conversation by which a host becomes a device")
struct LinkChannelTests {
    private var random = SplitMix64(seed: 3)
    private let alice: Person
    private let key: SigningKey
    private let invitation: LinkInvitation

    init() throws {
        alice = Person(using: &random)
        key = SigningKey.generate(using: &random)
        invitation = try #require(
            LinkInvitation(key: key.verifyingKey, secret: random.bytes(LinkInvitation.secretByteCount)))
    }

    private func identity(of person: Person, with other: Device? = nil) -> IdentityRecord {
        IdentityRecord(
            root: person.root, serial: 1,
            devices: [.init(device: person.author.device, name: "desk")]
                + (other.map { [.init(device: $0, name: "laptop")] } ?? []))
    }

    private func card(of person: Person, with other: Device? = nil) throws -> ProfileCard {
        try #require(
            ProfileCard(
                root: person.root, version: 1, name: "Alice", photo: [], identity: identity(of: person, with: other)))
    }

    private mutating func holder(_ person: Person? = nil, by other: LinkInvitation? = nil) throws -> LinkChannel {
        let person = person ?? alice
        return LinkChannel(
            .holder(root: person.root, card: try card(of: person)), by: other ?? invitation, using: &random)
    }

    private mutating func newcomer(_ other: SigningKey? = nil) -> LinkChannel {
        LinkChannel(.newcomer(other ?? key), by: invitation, using: &random)
    }

    /// What both sides said happened, once neither says any more.
    private func run(
        _ holder: inout LinkChannel, _ newcomer: inout LinkChannel, from first: [UInt8]? = nil
    ) throws -> (holder: [LinkChannel.Event], newcomer: [LinkChannel.Event]) {
        var events: (holder: [LinkChannel.Event], newcomer: [LinkChannel.Event]) = ([], [])
        var toNewcomer = try first ?? holder.start()
        while !toNewcomer.isEmpty {
            let (reply, news) = try newcomer.receive(toNewcomer)
            events.newcomer += news
            let (answer, others) = try holder.receive(reply)
            events.holder += others
            toNewcomer = answer
        }
        return events
    }

    private func met(_ events: [LinkChannel.Event]) throws -> (ProfileCard, String) {
        for case .met(let card, let digits) in events { return (card, digits) }
        throw LinkError.ended
    }

    private var laptop: Author { Author(user: alice.user, key: key) }

    private mutating func wrap() -> WrapRecord {
        WrapRecord(by: laptop, counter: 1, key: AgreementKey.generate(using: &random).publicKey)
    }

    @Test mutating func `both sides prove themselves and show the same six digits`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        let events = try run(&holder, &newcomer)
        let (shown, digits) = try met(events.newcomer)
        #expect(try met(events.holder).1 == digits)
        #expect(shown == (try card(of: alice)))
        #expect(digits.count == 6 && digits.allSatisfy(\.isASCII))
    }

    @Test mutating func `the host becomes a device once both have agreed`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        let wrap = wrap()
        #expect(try holder.receive(try newcomer.consent(with: wrap)).events == [.consented(wrap)])
        let introduction = Introduction(card: try card(of: alice, with: laptop.device), wraps: [wrap])
        #expect(try newcomer.receive(try holder.welcome(with: introduction)).events == [.welcomed(introduction)])
        #expect(try holder.receive(try newcomer.confirm()).events == [.stored])
    }

    @Test mutating func `the root is handed over to who has stored the welcome, once`() throws {
        let seed = SecretBytes(count: SigningKey.seedByteCount, using: &random)
        let bob = Person(root: try #require(SigningKey(seed: seed)), using: &random)
        var holder = try self.holder(bob)
        var newcomer = self.newcomer()
        try welcome(&newcomer, by: &holder, of: bob)
        _ = try holder.receive(try newcomer.confirm())
        let entrusted = try newcomer.receive(try holder.entrust(with: seed)).events
        #expect(entrusted == [.entrusted(seed.withUnsafeBytes { Array($0) })])
        #expect(try holder.receive(try newcomer.confirm()).events == [.stored])
        let again = try holder.entrust(with: seed)
        #expect(throws: LinkError.malformed) { try newcomer.receive(again) }
    }

    @Test mutating func `the root has no place before the welcome is stored`() throws {
        let seed = SecretBytes(count: SigningKey.seedByteCount, using: &random)
        let bob = Person(root: try #require(SigningKey(seed: seed)), using: &random)
        var holder = try self.holder(bob)
        var newcomer = self.newcomer()
        try welcome(&newcomer, by: &holder, of: bob)
        let early = try holder.entrust(with: seed)
        #expect(throws: LinkError.malformed) { try newcomer.receive(early) }
    }

    @Test mutating func `another seed than that of the user's root is refused`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        try welcome(&newcomer, by: &holder, of: alice)
        _ = try holder.receive(try newcomer.confirm())
        let other = try holder.entrust(with: SecretBytes(count: SigningKey.seedByteCount, using: &random))
        #expect(throws: LinkError.wrongWelcome) { try newcomer.receive(other) }
    }

    @Test mutating func `a second consent or welcome has no place`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        try welcome(&newcomer, by: &holder, of: alice)
        let welcome = try holder.welcome(with: introduction(of: alice, wrap: wrap()))
        #expect(throws: LinkError.malformed) { try newcomer.receive(welcome) }

        holder = try self.holder()
        newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        _ = try holder.receive(try newcomer.consent(with: wrap()))
        let consent = try newcomer.consent(with: wrap())
        #expect(throws: LinkError.malformed) { try holder.receive(consent) }
    }

    /// Lets both sides come so far that the host has its welcome.
    private mutating func welcome(
        _ newcomer: inout LinkChannel, by holder: inout LinkChannel, of user: Person
    ) throws {
        _ = try run(&holder, &newcomer)
        let wrap = WrapRecord(
            by: Author(user: user.user, key: key), counter: 1, key: AgreementKey.generate(using: &random).publicKey)
        _ = try holder.receive(try newcomer.consent(with: wrap))
        let introduction = try introduction(of: user, wrap: wrap)
        #expect(try newcomer.receive(try holder.welcome(with: introduction)).events == [.welcomed(introduction)])
    }

    private func introduction(of user: Person, wrap: WrapRecord) throws -> Introduction {
        let device = Device(user: user.user, key: key.verifyingKey)
        return Introduction(card: try card(of: user, with: device), wraps: [wrap])
    }

    @Test mutating func `bytes may come one by one`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        var pending = try holder.start()
        var events: [LinkChannel.Event] = []
        while !pending.isEmpty {
            var reply: [UInt8] = []
            for byte in pending {
                let (bytes, news) = try newcomer.receive([byte])
                reply += bytes
                events += news
            }
            pending = []
            for byte in reply { pending += try holder.receive([byte]).reply }
        }
        #expect(try met(events).1.count == 6)
    }

    @Test mutating func `whoever does not know the secret is told by their first bytes, and answered nothing`() throws {
        let guessed = try #require(LinkInvitation(key: key.verifyingKey, secret: Array(repeating: 0, count: 16)))
        var holder = try self.holder(by: guessed)
        var newcomer = self.newcomer()
        let first = try holder.start()
        #expect(throws: LinkError.unproven) { try newcomer.receive(first) }

        holder = try self.holder()
        newcomer = self.newcomer()
        let (reply, events) = try newcomer.receive(try holder.start())
        #expect(!reply.isEmpty && events.count == 1)
        guard case .begun? = events.first else { throw LinkError.malformed }
    }

    @Test mutating func `whoever does not know the secret is nobody`() throws {
        let guessed = try #require(LinkInvitation(key: key.verifyingKey, secret: Array(repeating: 0, count: 16)))
        var holder = try self.holder(by: guessed)
        var newcomer = self.newcomer()
        #expect(throws: LinkError.unproven) { try run(&holder, &newcomer) }
    }

    @Test mutating func `a host with another key than the code's cannot pass for the one that shows it`() throws {
        let other = SigningKey.generate(using: &random)
        var holder = try self.holder()
        var newcomer = self.newcomer(other)
        #expect(throws: LinkError.unproven) { try run(&holder, &newcomer) }
    }

    @Test mutating func `a code of another host does not even begin`() throws {
        let other = try #require(
            LinkInvitation(key: SigningKey.generate(using: &random).verifyingKey, secret: invitation.secret))
        var holder = try self.holder(by: other)
        var newcomer = self.newcomer()
        #expect(throws: LinkError.unproven) { try run(&holder, &newcomer) }
    }

    @Test mutating func `nobody shows the card of somebody else`() throws {
        let mallory = Person(using: &random)
        var holder = LinkChannel(
            .holder(root: mallory.root, card: try card(of: alice)), by: invitation, using: &random)
        var newcomer = self.newcomer()
        #expect(throws: LinkError.unproven) { try run(&holder, &newcomer) }
    }

    @Test mutating func `a welcome that does not certify the host is refused`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        let wrap = wrap()
        _ = try holder.receive(try newcomer.consent(with: wrap))
        let welcome = try holder.welcome(with: Introduction(card: try card(of: alice), wraps: []))
        #expect(throws: LinkError.wrongWelcome) { try newcomer.receive(welcome) }
    }

    @Test mutating func `a welcome of another user is refused`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        _ = try holder.receive(try newcomer.consent(with: wrap()))
        let mallory = Person(using: &random)
        let theirs = Device(user: mallory.user, key: key.verifyingKey)
        let welcome = try holder.welcome(with: Introduction(card: try card(of: mallory, with: theirs), wraps: []))
        #expect(throws: LinkError.wrongWelcome) { try newcomer.receive(welcome) }
    }

    @Test mutating func `a welcome before the user has agreed is refused`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        let welcome = try holder.welcome(with: Introduction(card: try card(of: alice, with: laptop.device), wraps: []))
        #expect(throws: LinkError.malformed) { try newcomer.receive(welcome) }
    }

    @Test mutating func `either user may say no`() throws {
        var holder = try self.holder()
        var newcomer = self.newcomer()
        _ = try run(&holder, &newcomer)
        let refusal = try newcomer.refuse()
        #expect(throws: LinkError.refused) { try holder.receive(refusal) }
    }

    @Test mutating func `what was changed on its way is refused, wherever`() throws {
        for bit in stride(from: 0, to: 600, by: 7) {
            var holder = try self.holder()
            var newcomer = self.newcomer()
            let reply = try newcomer.receive(try holder.start()).reply
            var greeting = try holder.receive(reply).reply
            let place = bit % (greeting.count * 8)
            greeting[place / 8] ^= 1 << (place % 8)
            let events = try? newcomer.receive(greeting).events
            #expect(events?.isEmpty ?? true)
        }
    }

    @Test mutating func `lengths that nothing can have are refused before anything waits for them`() throws {
        var newcomer = self.newcomer()
        #expect(throws: LinkError.malformed) { try newcomer.receive([0xFF, 0xFF]) }
        var other = self.newcomer()
        #expect(throws: LinkError.malformed) { try other.receive([0, 0]) }
    }
}
