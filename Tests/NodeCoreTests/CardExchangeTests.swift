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

/// Bob's node is connected to Alice's, and Carol is in a group with both.
@Suite("The machine for cards of members")
struct CardExchangeTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var cards = CardExchange()
    private var trio: Trio
    private let group: ConversationID
    private let toAlice: PeerHandle

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        toAlice = trio.connect(Self.bob, to: Self.alice)
        self.trio = trio
    }

    private mutating func handle(_ event: CardExchange.Event, after duration: Duration = .zero) -> [MachineRequest] {
        var context = trio.bob.context
        context.moment = Trio.after(duration)
        return cards.handle(event, in: context)
    }

    private mutating func messages(_ event: CardExchange.Event, after duration: Duration = .zero) throws
        -> [PeerMessage]
    {
        try handle(event, after: duration).messages(to: toAlice)
    }

    /// Bob's node forgets Carol's card, as if they had never met.
    private mutating func forgetCarol() throws {
        let credentials = try #require(trio.bob.contacts[trio.carol.me].credentials)
        trio.cores[Self.bob].contacts.forget(trio.carol.me)
        _ = trio.cores[Self.bob].contacts.learn(credentials)
        try #require(trio.bob.contacts[trio.carol.me].name == "Unknown")
    }

    /// What Alice says of the cards of those whom they share with Bob.
    private var ofCarol: [CardVersion] { [CardVersion(of: trio.carol.card)] }

    /// The cards that are to be learned.
    private func learned(_ requests: [MachineRequest]) -> [ProfileCard] {
        requests.flatMap { request -> [ProfileCard] in
            guard case .learn(let cards) = request else { return [] }
            return cards
        }
    }

    /// A later card of Carol's.
    private func later(_ version: UInt64, named name: String) throws -> ProfileCard {
        let root = try #require(trio.carol.keys.root)
        return try #require(
            ProfileCard(root: root, version: version, name: name, photo: [], identity: trio.carol.card.identity))
    }

    // MARK: - Telling

    @Test mutating func `a peer is told once, in 17 bytes, what is held of the members shared with it`() throws {
        #expect(try messages(.shared(toAlice, group)).isEmpty)
        #expect(cards.nextDeadline == Trio.moment.monotonic + CardExchange.tellDelay)
        #expect(try messages(.tick, after: .seconds(1)) == [.cards(.digest(CardDigest(of: ofCarol)))])
        #expect(PeerMessage.cards(.digest(CardDigest(of: ofCarol))).encoded.count == 17)
        #expect(cards.nextDeadline == nil)
        _ = handle(.membersChanged(group), after: .seconds(2))
        #expect(try messages(.tick, after: .seconds(20)).isEmpty, "nothing has changed")
    }

    @Test mutating func `a peer that holds the same is asked nothing`() throws {
        _ = handle(.shared(toAlice, group))
        _ = handle(.heard(.digest(CardDigest(of: ofCarol)), from: toAlice))
        #expect(try messages(.tick, after: .seconds(1)).count == 1)
        #expect(cards.nextDeadline == nil)
    }

    @Test mutating func `nothing is said where nobody else is shared`() throws {
        let direct = try trio.cores[Self.bob].openDirect(with: trio.alice.me, at: Trio.moment)
        _ = handle(.shared(toAlice, direct))
        #expect(try messages(.tick, after: .seconds(1)).isEmpty)
    }

    @Test mutating func `a card that changes is told, and one of somebody else is not`() throws {
        _ = handle(.shared(toAlice, group))
        _ = handle(.tick, after: .seconds(1))
        let card = try later(7, named: "Caroline")
        trio.cores[Self.bob].learn(card)
        var random = SeededRandom(seed: 9)
        _ = handle(.cardChanged(of: Person(using: &random).user), after: .seconds(2))
        #expect(cards.nextDeadline == nil)
        _ = handle(.cardChanged(of: trio.carol.me), after: .seconds(2))
        let told: [PeerMessage] = [.cards(.digest(CardDigest(of: [CardVersion(of: card)])))]
        #expect(try messages(.tick, after: .seconds(3)) == told)
    }

    @Test mutating func `digests are told three times at once and then every ten seconds`() throws {
        _ = handle(.shared(toAlice, group))
        var told = 0
        for number in 0..<120 {
            trio.cores[Self.bob].learn(try later(UInt64(number) + 10, named: "Carol \(number)"))
            let now = Duration.milliseconds(500 * number)
            _ = handle(.cardChanged(of: trio.carol.me), after: now)
            told += try messages(.tick, after: now).count
        }
        #expect((6...9).contains(told), "in a minute, not \(told) times")
    }

    // MARK: - Asking

    @Test mutating func `a name that is missing is asked of one peer after a moment, and once`() throws {
        try forgetCarol()
        _ = handle(.shared(toAlice, group))
        _ = handle(.tick, after: .seconds(1))
        _ = handle(.heard(.digest(CardDigest(of: ofCarol)), from: toAlice), after: .seconds(1))
        let due = try #require(cards.nextDeadline) - Trio.moment.monotonic
        #expect(try messages(.tick, after: due) == [.cards(.versions(CardPart(of: [], after: nil)))])
        #expect(try messages(.tick, after: due + .milliseconds(100)).isEmpty)
    }

    @Test mutating func `what came is learned, and then nobody is asked`() throws {
        try forgetCarol()
        _ = handle(.shared(toAlice, group))
        _ = handle(.heard(.digest(CardDigest(of: ofCarol)), from: toAlice))
        _ = handle(.tick, after: .seconds(4))
        let news = learned(handle(.heard(.cards([trio.carol.card.encoded]), from: toAlice), after: .seconds(5)))
        #expect(news == [trio.carol.card])
        trio.cores[Self.bob].learn(passedOn: news)
        #expect(trio.bob.contacts[trio.carol.me].name == "Carol")
        #expect(trio.disks[Self.bob].image.profiles[trio.carol.me]?.card == trio.carol.card)
        _ = handle(.cardChanged(of: trio.carol.me), after: .seconds(5))
        #expect(try messages(.tick, after: .seconds(6)) == [.cards(.digest(CardDigest(of: ofCarol)))])
        for second in 7...600 {
            #expect(try messages(.tick, after: .seconds(second)).isEmpty)
        }
    }

    @Test mutating func `a peer whose answers bring nothing is asked ever more rarely`() throws {
        try forgetCarol()
        _ = handle(.shared(toAlice, group))
        _ = handle(.heard(.digest(CardDigest(of: ofCarol)), from: toAlice))
        var questions = 0
        for second in 1...3_600 {
            questions += try messages(.tick, after: .seconds(second)).count {
                if case .cards(.versions) = $0 { true } else { false }
            }
        }
        #expect((8...24).contains(questions), "in an hour, not \(questions) times")
    }

    @Test mutating func `two peers that hold the same are not both asked at once`() throws {
        try forgetCarol()
        let toCarol = trio.connect(Self.bob, to: Self.carol)
        for peer in [toAlice, toCarol] {
            _ = handle(.shared(peer, group))
            _ = handle(.heard(.digest(CardDigest(of: ofCarol)), from: peer))
        }
        let requests = handle(.tick, after: .seconds(4))
        let asked = try [toAlice, toCarol].filter { peer in
            try requests.messages(to: peer).contains { if case .cards(.versions) = $0 { true } else { false } }
        }
        #expect(asked == [toAlice])
        let later = try handle(.tick, after: .seconds(5)).messages(to: toCarol)
        #expect(later.contains { if case .cards(.versions) = $0 { true } else { false } })
    }

    /// Members of the group besides the three, each with some devices that are connected to Bob's node.
    private mutating func connectMembers(_ people: [Person], devices: Int, using random: inout SeededRandom) throws
        -> [[PeerHandle]]
    {
        let replica = try #require(trio.alice.replicas[group])
        let founder = replica.group.history.first.map {
            MembershipBody.Authority.grant(operation: $0.operation.id, slot: 0)
        }
        let body = MembershipBody.add(under: try #require(founder), targets: people.map(\.credentials))
        var log = replica.log
        let written = try log.write(
            membership: [ConversationLog.Draft(type: body.type, body: body.encoded)],
            by: trio.alice.context.keys.author, at: Trio.moment.wall)
        let batch = Batch(lane: .membership, operations: written.map(\.operation))
        trio.cores[Self.bob].admit(batch.encoded, to: group, lane: .membership, from: PeerHandle(rawValue: 1_000))
        try #require(people.allSatisfy { trio.bob.replicas[group]?.group.isMember($0.user) == true })
        return people.map { person in
            (0..<devices).map { _ in
                let device = Device(user: person.user, key: SigningKey.generate(using: &random).verifyingKey)
                let handle = trio.cores[Self.bob].begin(
                    to: nil, at: Endpoint(host: "192.0.2.9", port: 1), moment: Trio.moment)
                let identity = PeerIdentity(device: device, record: person.credentials.identity)
                trio.cores[Self.bob].context.links[handle]?.identity = identity
                return handle
            }
        }
    }

    @Test mutating func `four silent people with eight devices each keep nobody waiting for longer than four turns`()
        throws
    {
        var random = SeededRandom(seed: 31)
        let silent = try connectMembers(
            (0..<4).map { _ in Person(using: &random) }, devices: 8, using: &random)
        // Whoever holds what is lacking came last.
        let toCarol = trio.connect(Self.bob, to: Self.carol)
        let peers = silent.flatMap(\.self) + [toCarol]
        for peer in peers {
            _ = handle(.shared(peer, group))
            _ = handle(.heard(.digest(CardDigest(of: [])), from: peer))
        }
        var askedAt: Duration?
        for step in 0..<600 where askedAt == nil {
            let now = Duration.milliseconds(100 * step)
            let isAsked = try handle(.tick, after: now).messages(to: toCarol).contains {
                if case .cards(.versions) = $0 { true } else { false }
            }
            if isAsked { askedAt = now }
        }
        let waited = try #require(askedAt) - CardExchange.shortGrace
        #expect(waited <= PersonTurns.answerTimeout * 4 + .milliseconds(500), "not after \(waited)")
    }

    // MARK: - Answering

    @Test mutating func `whoever asks gets what is newer than what they name, of those who are shared`() throws {
        _ = handle(.shared(toAlice, group))
        let card = trio.carol.card.encoded
        #expect(
            try messages(.heard(.versions(CardPart(of: [], after: nil)), from: toAlice)) == [.cards(.cards([card]))])
        #expect(try messages(.heard(.versions(CardPart(of: ofCarol, after: nil)), from: toAlice)).isEmpty)
        let above = CardPart(of: [], after: trio.carol.me)
        #expect(try messages(.heard(.versions(above), from: toAlice)).isEmpty, "it does not speak of Carol")
    }

    @Test mutating func `whoever is no member is given no card`() throws {
        var random = SeededRandom(seed: 9)
        let dave = Person(using: &random)
        let handle = trio.cores[Self.bob].begin(
            to: nil, at: Endpoint(host: "192.0.2.9", port: 1), moment: Trio.moment)
        let identity = PeerIdentity(device: dave.author.device, record: dave.credentials.identity)
        trio.cores[Self.bob].handle(
            .established(identity, transcript: Array(repeating: 7, count: 64), on: handle), at: Trio.moment)
        _ = self.handle(.shared(handle, group))
        let answer = self.handle(.heard(.versions(CardPart(of: [], after: nil)), from: handle))
        #expect(try answer.messages(to: handle).isEmpty)
        #expect(try self.handle(.tick, after: .seconds(1)).messages(to: handle).isEmpty)
    }

    @Test mutating func `whoever names something newer is asked for it`() throws {
        _ = handle(.shared(toAlice, group))
        let newer = CardVersion(of: try later(9, named: "Caroline"))
        _ = handle(.heard(.versions(CardPart(of: [newer], after: nil)), from: toAlice), after: .seconds(1))
        let said = try messages(.tick, after: .seconds(2))
        #expect(said.contains(.cards(.versions(CardPart(of: ofCarol, after: nil)))))
    }

    // MARK: - Taking

    /// Bob asked Alice, who says that they hold something else.
    private mutating func ask() {
        _ = handle(.shared(toAlice, group))
        _ = handle(.heard(.digest(CardDigest(of: [])), from: toAlice))
        _ = handle(.tick, after: .seconds(4))
    }

    @Test mutating func `a card that nobody asked for is passed over`() throws {
        _ = handle(.shared(toAlice, group))
        let card = try later(9, named: "Caroline")
        #expect(handle(.heard(.cards([card.encoded]), from: toAlice)).isEmpty)
    }

    @Test mutating func `a card of somebody who is no member, or an older one, is passed over`() throws {
        ask()
        var random = SeededRandom(seed: 9)
        let dave = try #require(Person(using: &random).card(name: "Dave"))
        let newer = try later(9, named: "Caroline")
        trio.cores[Self.bob].learn(newer)
        let requests = handle(.heard(.cards([dave.encoded, trio.carol.card.encoded]), from: toAlice))
        #expect(learned(requests).isEmpty)
        #expect(!requests.offends(toAlice))
    }

    @Test mutating func `a forged card turns its sender away`() throws {
        ask()
        var bytes = try later(9, named: "Caroline").encoded
        bytes[bytes.count - 1] ^= 1
        let requests = handle(.heard(.cards([bytes]), from: toAlice))
        #expect(requests.offends(toAlice))
        #expect(learned(requests).isEmpty)
    }

    @Test mutating func `who was never here was never seen`() throws {
        try forgetCarol()
        trio.cores[Self.bob].learn(passedOn: [trio.carol.card])
        #expect(trio.bob.contacts[trio.carol.me].lastSeen == nil)
        let seen = { (trio: Trio) in trio.disks[Self.bob].image.profiles[trio.carol.me]?.seenAt }
        #expect(seen(trio) == .earliest)
        _ = trio.connect(Self.bob, to: Self.carol)
        #expect(seen(trio) == Trio.moment.wall, "now they were")
    }

    // MARK: - Those who came and went

    /// Alice adds people and takes them out again, without their node: so many operations at once no person writes.
    private mutating func letThrough(_ people: [Person]) throws {
        let replica = try #require(trio.alice.replicas[group])
        let founder = replica.group.history.first.map {
            MembershipBody.Authority.grant(operation: $0.operation.id, slot: 0)
        }
        let authority = try #require(founder)
        var bodies: [MembershipBody] = []
        for start in stride(from: 0, to: people.count, by: 20) {
            let some = people[start..<min(start + 20, people.count)]
            bodies.append(.add(under: authority, targets: some.map(\.credentials)))
            bodies.append(.ratify(under: authority, keep: [], bans: some.map { .init(user: $0.user, pins: []) }))
        }
        var log = replica.log
        let written = try log.write(
            membership: bodies.map { ConversationLog.Draft(type: $0.type, body: $0.encoded) },
            by: trio.alice.context.keys.author, at: Trio.moment.wall)
        let batch = Batch(lane: .membership, operations: written.map(\.operation))
        trio.cores[Self.bob].admit(batch.encoded, to: group, lane: .membership, from: PeerHandle(rawValue: 1_000))
    }

    @Test mutating func `500 people who came and went cost nothing, and their deletions still count`() throws {
        var random = SeededRandom(seed: 12)
        let people = (0..<500).map { _ in Person(using: &random) }
        _ = handle(.shared(toAlice, group))
        let before = cards.circle(with: toAlice, trio.bob.context).visited
        try letThrough(people)
        let replica = try #require(trio.bob.replicas[group])
        try #require(replica.group.audience.count == 503 && replica.group.members.count == 3)
        let circle = cards.circle(with: toAlice, trio.bob.context)
        #expect(circle.visited == before && before == 3, "\(circle.visited) people were looked at")
        #expect(circle.people == [trio.carol.me])

        let deletion = ProfileCard(deletionBy: people[7].root, identity: people[7].credentials.identity)
        #expect(circle.counts(CardVersion(of: deletion)))
        let card = try #require(people[8].card(name: "Dave"))
        #expect(!circle.counts(CardVersion(of: card)))
        trio.cores[Self.bob].learn(passedOn: [deletion])
        let later = cards.circle(with: toAlice, trio.bob.context)
        #expect(Set(later.versions) == Set(ofCarol + [CardVersion(of: deletion)]))
        #expect(later.visited == 4, "one of them is known to be deleted")
    }

    // MARK: - Those who ended their identity

    /// Carol is out of the group, and ended their identity: their last card.
    private mutating func endCarol() throws -> ProfileCard {
        try trio.cores[Self.alice].remove(trio.carol.me, from: group, at: Trio.moment)
        trio.deliver(group, to: Self.bob)
        return ProfileCard(deletionBy: try #require(trio.carol.keys.root), identity: trio.carol.card.identity)
    }

    @Test mutating func `of somebody who is out only the deletion is passed on`() throws {
        let deletion = try endCarol()
        _ = handle(.shared(toAlice, group))
        #expect(try messages(.tick, after: .seconds(1)) == [.cards(.digest(CardDigest(of: [])))])
        #expect(try messages(.heard(.versions(CardPart(of: [], after: nil)), from: toAlice)).isEmpty)
        trio.cores[Self.bob].learn(deletion)
        _ = handle(.cardChanged(of: trio.carol.me), after: .seconds(2))
        let version = CardVersion(of: deletion)
        #expect(version.isDeletion && version.supersedes(CardVersion(of: trio.carol.card)))
        #expect(try messages(.tick, after: .seconds(3)) == [.cards(.digest(CardDigest(of: [version])))])
        #expect(
            try messages(.heard(.versions(CardPart(of: [], after: nil)), from: toAlice)) == [
                .cards(.cards([deletion.encoded]))
            ])
        #expect(try messages(.heard(.versions(CardPart(of: [version], after: nil)), from: toAlice)).isEmpty)
    }

    @Test mutating func `of somebody who is out only the deletion is taken, and kept`() throws {
        let deletion = try endCarol()
        _ = handle(.shared(toAlice, group))
        _ = handle(.heard(.digest(CardDigest(of: [CardVersion(of: deletion)])), from: toAlice))
        let asked = try messages(.tick, after: .seconds(4))
        #expect(asked.contains(.cards(.versions(CardPart(of: [], after: nil)))))
        let newer = try later(9, named: "Caroline")
        #expect(learned(handle(.heard(.cards([newer.encoded]), from: toAlice), after: .seconds(5))).isEmpty)
        let news = learned(handle(.heard(.cards([deletion.encoded]), from: toAlice), after: .seconds(5)))
        #expect(news == [deletion])
        trio.cores[Self.bob].learn(passedOn: news)
        #expect(trio.bob.contacts[trio.carol.me].name == "Deleted User")
        #expect(trio.disks[Self.bob].image.profiles[trio.carol.me]?.card == deletion)
        let again = handle(.heard(.cards([deletion.encoded]), from: toAlice), after: .seconds(6))
        #expect(learned(again).isEmpty, "it is no news twice")
    }

    @Test mutating func `a home put back from a backup takes the deletion of its own user, unasked`() throws {
        let own = ProfileCard(deletionBy: try #require(trio.bob.keys.root), identity: trio.bob.card.identity)
        let ofCarol = ProfileCard(deletionBy: try #require(trio.carol.keys.root), identity: trio.carol.card.identity)
        #expect(handle(.heard(.cards([ofCarol.encoded]), from: toAlice)).isEmpty, "of others nothing is taken unasked")
        #expect(handle(.heard(.cards([own.encoded, ofCarol.encoded]), from: toAlice)).isEmpty)
        var forged = own.encoded
        forged[forged.count - 1] ^= 1
        #expect(handle(.heard(.cards([forged]), from: toAlice)).offends(toAlice))
        let news = learned(handle(.heard(.cards([own.encoded]), from: toAlice)))
        #expect(news == [own])
        trio.cores[Self.bob].learn(passedOn: news)
        #expect(trio.bob.isDeleted && trio.bob.card == own)
        #expect(trio.disks[Self.bob].image.profiles[trio.bob.me]?.card == own)
        #expect(throws: NodeError.identityDeleted) {
            _ = try trio.cores[Self.bob].send(["Ahoy"], to: group, at: Trio.moment)
        }
        #expect(handle(.heard(.cards([own.encoded]), from: toAlice)).isEmpty)
    }

    @Test mutating func `many people of one name, and ever new cards of them, bring no flood of warnings`() throws {
        var random = SeededRandom(seed: 11)
        let people = (0..<60).map { _ in Person(using: &random) }
        func cards(_ version: UInt64, named name: String) throws -> [ProfileCard] {
            try people.map { person in
                try #require(
                    ProfileCard(
                        root: person.root, version: version, name: name, photo: [],
                        identity: person.credentials.identity))
            }
        }
        func warnings() -> Int {
            trio.cores[Self.bob].takeEffects().count { effect in
                if case .note(.namesakes) = effect { true } else { false }
            }
        }
        _ = warnings()
        trio.cores[Self.bob].learn(passedOn: try cards(1, named: "Carol"))
        #expect((1...16).contains(warnings()), "of 60 people and their 1,770 pairs")
        trio.cores[Self.bob].learn(passedOn: try cards(2, named: "Carol"))
        #expect(warnings() == 0, "nobody has another name than before")
        trio.cores[Self.bob].learn(passedOn: try cards(3, named: "Alice"))
        #expect(warnings() == 0, "and not more, whatever they are called")
    }
}
