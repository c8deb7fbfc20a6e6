import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// What Mallory, who is in no conversation of Alice's, gets out of their node.
@Suite("A stranger before the replicator")
struct StrangerTests {
    private let alice, bob, mallory: Person
    private var replicator: Replicator
    private let transcript = Array(repeating: 7 as UInt8, count: 64)
    private let peer = PeerHandle(rawValue: 1)
    private var now = Instant(sinceStart: .zero)

    init() {
        var random = SplitMix64(seed: 1)
        (alice, bob, mallory) = (Person(using: &random), Person(using: &random), Person(using: &random))
        replicator = Replicator(device: alice.author.device, replicaEpoch: random.bytes(16), introduction: [])
    }

    private func identity(of person: Person) -> PeerIdentity {
        PeerIdentity(
            device: person.author.device,
            record: IdentityRecord(
                root: person.root, serial: 1, devices: [.init(device: person.author.device, name: "")]))
    }

    private mutating func connect(_ person: Person, as handle: PeerHandle) {
        _ = replicator.handle(
            .connected(handle, identity(of: person), transcript: transcript, role: .responder), at: now)
    }

    private mutating func hear(_ message: PeerMessage, from handle: PeerHandle) -> [Replicator.Effect] {
        replicator.handle(.received(handle, ReceivedMessage(decoding: message.encoded)), at: now)
    }

    private func group(_ number: Int) -> ConversationID {
        ConversationID(
            createdBy: OperationID(
                digest: .hash("g", [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])))
    }

    private func tag(_ conversation: ConversationID) -> ConversationTag {
        ConversationTag(conversation, transcript: transcript, role: .initiator)
    }

    private func sent(_ effects: [Replicator.Effect]) -> [[UInt8]] {
        effects.compactMap { if case .send(_, let bytes, _) = $0 { bytes } else { nil } }
    }

    private func opened(_ effects: [Replicator.Effect]) -> [ConversationID] {
        effects.compactMap { if case .open(let conversation, _, _) = $0 { conversation } else { nil } }
    }

    private func forgotten(_ effects: [Replicator.Effect]) -> [ConversationID] {
        effects.compactMap { if case .forgotten(let conversation) = $0 { conversation } else { nil } }
    }

    /// Everything Alice's node says to Mallory, who tries all they can about a conversation.
    private mutating func probe(_ conversation: ConversationID, _ root: ConversationRoot) -> [[UInt8]] {
        connect(mallory, as: peer)
        let slot = { PeerMessage.LaneSlot(slot: 0, lane: $0) }
        let entry = PeerMessage.ChainEntry(
            device: bob.device, tips: [ChainTip(sequenceNumber: 1, id: OperationID(digest: .hash("tip")))])
        var answers: [[UInt8]] = []
        let empty = LaneDigest(of: Frontier().digest, transcript: transcript)
        let messages: [PeerMessage] = [
            .sharing(.tags([tag(conversation)])), .sharing(.announce(conversation, root)),
            .lane(slot(.membership), .status(LaneDigest(bytes: Array(repeating: 1, count: 8)))),
            .lane(slot(.content), .status(LaneDigest(bytes: Array(repeating: 1, count: 8)))),
            .statuses(slot: 0, membership: .unlike, content: .unlike),
            .lane(slot(.membership), .frontier(isWanted: true, digest: empty, chainList: empty, sequenceNumbers: [])),
            .lane(slot(.membership), .chains(isWanted: true, ChainPart(after: nil, chains: [entry], isLast: true))),
            .lane(slot(.membership), .chainsRequest),
            .lane(slot(.content), .chainsRequest), .lane(slot(.content), .want([:])),
        ]
        for message in messages {
            let effects = hear(message, from: peer)
            answers += sent(effects)
            for case .open(let conversation, let root, _) in effects {
                let audience: [UserID: MembershipStatus] =
                    if case .direct(let first, let second) = root { [first: .member, second: .member] } else { [:] }
                answers += sent(
                    replicator.handle(
                        .opened(conversation, root, membership: Frontier(), content: Frontier()), at: now))
                answers += sent(replicator.handle(.audienceChanged(conversation, audience), at: now))
            }
        }
        for second in 1...5 {
            answers += sent(replicator.handle(.tick, at: now + .milliseconds(second * 200)))
        }
        return answers
    }

    @Test(arguments: [true, false])
    func `cannot tell a conversation that is known from one that is not`(isDirect: Bool) {
        let conversation =
            isDirect
            ? ConversationID(directBetween: alice.user, and: bob.user) : group(1)
        let root: ConversationRoot =
            isDirect ? .direct(min(alice.user, bob.user), max(alice.user, bob.user)) : .group
        var ignorant = self
        let unknown = ignorant.probe(conversation, root)
        var knowing = self
        let frontier = Frontier([
            (bob.device, ChainTip(sequenceNumber: 1, id: OperationID(digest: .hash("tip"))))
        ])
        _ = knowing.replicator.handle(
            .opened(conversation, root, membership: frontier, content: frontier), at: knowing.now)
        _ = knowing.replicator.handle(
            .audienceChanged(conversation, [alice.user: .member, bob.user: .member]), at: knowing.now)
        let known = knowing.probe(conversation, root)
        #expect(known == unknown)
        #expect(isDirect == unknown.allSatisfy { $0.first != 2 || $0 == PeerMessage.sharing(.tags([])).encoded })
    }

    @Test
    func `opens no direct conversation between others, nor one of somebody else with Alice`() {
        var story = self
        story.connect(mallory, as: peer)
        for (one, other) in [(alice, bob), (bob, mallory), (bob, bob)] {
            let id = ConversationID(directBetween: one.user, and: other.user)
            let root = ConversationRoot.direct(min(one.user, other.user), max(one.user, other.user))
            let opened = story.opened(story.hear(.sharing(.announce(id, root)), from: peer))
            #expect(opened.isEmpty)
        }
        let id = ConversationID(directBetween: alice.user, and: mallory.user)
        let root = ConversationRoot.direct(min(alice.user, mallory.user), max(alice.user, mallory.user))
        let opened = story.opened(story.hear(.sharing(.announce(id, root)), from: peer))
        #expect(opened == [id])
    }

    @Test
    func `opens few groups at a time, which go with the connection`() {
        var story = self
        story.connect(mallory, as: peer)
        var opened: [ConversationID] = []
        for number in 0..<5_000 {
            opened += story.opened(story.hear(.sharing(.announce(group(number), .group)), from: peer))
        }
        #expect(opened.count == Replicator.maximumAnnouncements)
        #expect(story.replicator.peers[peer]?.shared.announcements.count == Replicator.maximumAnnouncementsWaiting)
        let gone = story.forgotten(story.replicator.handle(.disconnected(peer), at: now))
        #expect(Set(gone) == Set(opened))
        #expect(story.replicator.conversations.isEmpty)
        #expect(story.replicator.lanes.isEmpty)
    }

    @Test
    func `what two have announced stays while one of them is there, and what came to hold something for good`() {
        var story = self
        let other = PeerHandle(rawValue: 2)
        story.connect(mallory, as: peer)
        story.connect(bob, as: other)
        for handle in [peer, other] { _ = story.hear(.sharing(.announce(group(1), .group)), from: handle) }
        _ = story.hear(.sharing(.announce(group(2), .group)), from: peer)
        let frontier = Frontier([
            (bob.device, ChainTip(sequenceNumber: 1, id: OperationID(digest: .hash("tip"))))
        ])
        _ = story.replicator.handle(
            .committed(group(2), .membership, frontier, .fetched), at: now)
        let first = story.forgotten(story.replicator.handle(.disconnected(peer), at: now))
        #expect(first.isEmpty)
        let second = story.forgotten(story.replicator.handle(.disconnected(other), at: now))
        #expect(second == [group(1)])
        #expect(story.replicator.conversations.keys.map { $0 } == [group(2)])
    }

    @Test
    func `whoever adds Alice to many groups at once is heard about all of them, one after the other`() {
        var story = self
        story.connect(bob, as: peer)
        var waiting: [ConversationID] = []
        for number in 0..<100 {
            waiting += story.opened(story.hear(.sharing(.announce(group(number), .group)), from: peer))
        }
        var seen: Set<ConversationID> = []
        while let next = waiting.popLast() {
            seen.insert(next)
            let effects = story.replicator.handle(
                .audienceChanged(next, [alice.user: .member, bob.user: .member]), at: now)
            waiting += story.opened(effects)
        }
        #expect(seen.count == 100)
    }

    /// Alice adds Bob to so many groups, and they connect.
    private mutating func addBob(toGroups count: Int) -> [Replicator.Effect] {
        for number in 0..<count {
            _ = replicator.handle(
                .opened(group(number), .group, membership: Frontier(), content: Frontier()), at: now)
            _ = replicator.handle(
                .audienceChanged(group(number), [alice.user: .member, bob.user: .member]), at: now)
        }
        return replicator.handle(
            .connected(peer, identity(of: bob), transcript: transcript, role: .responder), at: now)
    }

    @Test(arguments: [-1, 0, 1])
    func `is told of so many groups as wait at its side, and of the next when it shows one's tag`(surplus: Int) throws {
        var story = self
        let count = Replicator.maximumAnnouncementsWaiting + surplus
        _ = story.addBob(toGroups: count)
        func announced(_ effects: [Replicator.Effect]) throws -> [ConversationID] {
            try sent(effects).compactMap { bytes in
                if case .sharing(.announce(let id, _)) = try PeerMessage(decoding: bytes) { id } else { nil }
            }
        }
        var untagged = try announced(story.hear(.sharing(.tags([])), from: peer))
        #expect(untagged.count == min(count, Replicator.maximumAnnouncementsWaiting))
        var told = Set(untagged)
        while let next = untagged.popLast() {
            let more = try announced(story.hear(.sharing(.tags([tag(next)])), from: peer))
            #expect(told.isDisjoint(with: more))
            told.formUnion(more)
            untagged += more
        }
        #expect(told.count == count)
    }

    @Test(arguments: [-1, 0, 1])
    func `is shown no more tags than it looks at`(surplus: Int) throws {
        var story = self
        let count = Replicator.maximumTags + surplus
        let tags = try story.sent(story.addBob(toGroups: count)).reduce(0) { shown, bytes in
            if case .sharing(.tags(let tags)) = try PeerMessage(decoding: bytes) { shown + tags.count } else { shown }
        }
        #expect(tags == min(count, Replicator.maximumTags))
    }

    @Test
    func `introduces itself as often as its budget allows, and the newest word is heard in the end`() {
        var story = self
        story.connect(mallory, as: peer)
        let epoch = Array(repeating: 1 as UInt8, count: 16)
        func introductions(_ effects: [Replicator.Effect]) -> [[UInt8]] {
            effects.compactMap { if case .introduce(_, let bytes, _) = $0 { bytes } else { nil } }
        }
        var heard: [[UInt8]] = []
        for number in 0..<2_000 {
            let bytes = [UInt8(number & 255), UInt8(number >> 8)]
            heard += introductions(story.hear(.people(.hello(replicaEpoch: epoch, port: 0, bytes)), from: peer))
        }
        #expect(heard.count == 8)
        for second in 1...2 {
            heard += introductions(
                story.replicator.handle(.tick, at: story.now + .seconds(second)))
        }
        #expect(heard.count == 9)
        #expect(heard.last == [UInt8(1_999 & 255), UInt8(1_999 >> 8)])
    }

    @Test
    func `tells of so many places, asks for so many photos, and shows so many tags`() {
        var story = self
        story.connect(mallory, as: peer)
        var counts = (places: 0, photos: 0, offenses: 0)
        let places = (0..<64).map { PeerAddress(device: bob.device, address: "10.0.0.\($0):1") }
        for number in 0..<1_000 {
            var effects = story.hear(.people(.addresses(places)), from: peer)
            effects += story.hear(.files(.photoWanted(bob.user)), from: peer)
            effects += story.hear(.sharing(.tags((0..<64).map { tag(group(number * 64 + $0)) })), from: peer)
            for effect in effects {
                switch effect {
                case .heard(.people(.addresses(let addresses)), _, _): counts.places += addresses.count
                case .heard(.files(.photoWanted), _, _): counts.photos += 1
                case .ban, .disconnect: counts.offenses += 1
                default: break
                }
            }
        }
        #expect(counts == (places: 512, photos: 512, offenses: 0))
        #expect(story.replicator.peers[peer]?.shared.tags.count == Replicator.maximumTags)
    }

    // MARK: - Lanes

    /// Bob connects as somebody of a group that is here, and shows its tag.
    ///
    /// - Returns: what follows from that.
    @discardableResult
    private mutating func share(_ conversation: ConversationID, with audience: [UserID: MembershipStatus])
        -> [Replicator.Effect]
    {
        let frontier = Frontier([
            (bob.device, ChainTip(sequenceNumber: 1, id: OperationID(digest: .hash("tip"))))
        ])
        _ = replicator.handle(.opened(conversation, .group, membership: frontier, content: frontier), at: now)
        _ = replicator.handle(.audienceChanged(conversation, audience), at: now)
        connect(bob, as: peer)
        return hear(.sharing(.tags([tag(conversation)])), from: peer)
    }

    @Test
    func `members are told of both lanes at once, invitees of one, and others of none`() {
        for (status, said) in [
            (MembershipStatus.member, [[4, 0, 2]]), (.invited, [[4, 0, 0]]), (.former, []),
        ] as [(MembershipStatus, [[UInt8]])] {
            var story = self
            let effects = story.share(group(1), with: [alice.user: .member, bob.user: status])
            #expect(sent(effects).filter { $0[0] == 4 }.map { Array($0.prefix(3)) } == said)
        }
    }

    /// How many of so many equal messages of Bob are looked at, now and in the next ten seconds; nothing is an offense.
    private mutating func answers(
        to message: PeerMessage, times: Int, where counts: (Replicator.Effect) -> Bool
    ) -> (atOnce: Int, later: Int) {
        var effects: [Replicator.Effect] = []
        var atOnce = 0
        var later = 0
        for _ in 0..<times {
            let answer = hear(message, from: peer)
            if answer.contains(where: counts) { atOnce += 1 }
            effects += answer
        }
        for second in 1...10 {
            now = Instant(sinceStart: .seconds(second))
            for _ in 0..<times / 10 {
                let answer = hear(message, from: peer)
                if answer.contains(where: counts) { later += 1 }
                effects += answer
            }
        }
        for effect in effects {
            switch effect {
            case .ban, .disconnect: Issue.record("what is above a budget is no offense")
            default: break
            }
        }
        return (atOnce, later)
    }

    @Test
    func `whoever is in a conversation asks for bodies as often as their budget allows`() {
        var story = self
        story.share(group(1), with: [alice.user: .member, bob.user: .member])
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
        let question = PeerMessage.conversation(slot, .bodies(.wanted([OperationID(digest: .hash("body"))])))
        let answered = story.answers(to: question, times: 1_000) { effect in
            if case .heardOf(_, _, .bodies(.wanted), _) = effect { true } else { false }
        }
        #expect(answered == (atOnce: 64, later: 50 * 10))
    }

    @Test
    func `whoever is in a conversation asks about its lanes as often as their budget allows`() {
        for question in [
            PeerMessage.lane(PeerMessage.LaneSlot(slot: 0, lane: .content), .chainsRequest),
            .lane(PeerMessage.LaneSlot(slot: 0, lane: .content), .want([:])),
        ] {
            var story = self
            story.share(group(1), with: [alice.user: .member, bob.user: .member])
            let answered = story.answers(to: question, times: 40_000) { effect in
                switch effect {
                case .send(_, let bytes, _): bytes.first == 6
                case .serve: true
                default: false
                }
            }
            #expect(answered == (atOnce: 1 << 15, later: 200 * 10))
        }
    }

    @Test
    func `whoever is in no conversation says of one as much as their budget allows`() {
        let slot = PeerMessage.LaneSlot(slot: 0, lane: .membership)
        let digest = LaneDigest(bytes: Array(repeating: 1, count: 8))
        let entry = PeerMessage.ChainEntry(
            device: bob.device, tips: [ChainTip(sequenceNumber: 2, id: OperationID(digest: .hash("other")))])
        let (cheap, dear) = ((atOnce: 1 << 15, later: 200 * 10), (atOnce: 512, later: 10 * 10))
        for (claim, budget) in [
            (.lane(slot, .status(digest)), cheap), (.statuses(slot: 0, membership: digest, content: digest), cheap),
            (.lane(slot, .frontier(isWanted: false, digest: .unlike, chainList: .unlike, sequenceNumbers: [])), cheap),
            (.lane(slot, .chains(isWanted: false, ChainPart(after: nil, chains: [entry], isLast: true))), dear),
            (.lane(slot, .want([:])), dear),
        ] as [(PeerMessage, (atOnce: Int, later: Int))] {
            var story = self
            story.share(group(1), with: [alice.user: .member, bob.user: .former])
            let answered = story.answers(to: claim, times: 40_000) { effect in
                switch effect {
                case .send, .seek, .serve: true
                default: false
                }
            }
            #expect(answered == budget, "\(claim)")
        }
    }

    @Test
    func `a sign of life is answered as often as honest nodes ask for one, and more`() {
        var story = self
        story.connect(mallory, as: peer)
        let answered = story.answers(to: .presence(.ping(1)), times: 1_000) { effect in
            if case .send(_, let bytes, _) = effect { bytes == PeerMessage.presence(.pong(1)).encoded } else { false }
        }
        #expect(answered == (atOnce: 32, later: 10 * 10))
    }
}
