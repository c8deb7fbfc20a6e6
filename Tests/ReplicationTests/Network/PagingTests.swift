import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// Alice's replicator with Bob connected, and frontiers of any size: nobody has to have written them.
private struct Page {
    static let bob = PeerHandle(rawValue: 7)
    let conversation = ConversationID(digest: .hash("test", [1]))
    var replicator: Replicator
    private let now = Instant(sinceStart: .seconds(1))
    private let people: [Person]
    private let transcript: [UInt8]

    /// - Parameter standing: how Bob stands to the conversation, in which Alice is a member.
    init(holding frontier: Frontier, lane: Lane = .content, standing: MembershipStatus? = .member) {
        var random = SplitMix64(seed: 1)
        people = [Person(using: &random), Person(using: &random)]
        replicator = Replicator(device: people[0].author.device, replicaEpoch: random.bytes(16), introduction: [])
        var audience: [UserID: MembershipStatus] = [people[0].user: .member]
        audience[people[1].user] = standing
        let identity = PeerIdentity(
            device: people[1].author.device,
            record: IdentityRecord(
                root: people[1].root, serial: 1, devices: [.init(device: people[1].author.device, name: "")]))
        transcript = random.bytes(64)
        _ = handle(
            .opened(
                conversation, .group, membership: lane == .membership ? frontier : Frontier(),
                content: lane == .content ? frontier : Frontier()))
        _ = handle(.audienceChanged(conversation, audience))
        _ = handle(.connected(Self.bob, identity, transcript: transcript, role: .initiator))
        _ = handle(
            .received(Self.bob, ReceivedMessage(decoding: PeerMessage.sharing(.announce(conversation, .group)).encoded))
        )
        let tag = ConversationTag(conversation, transcript: transcript, role: .responder)
        _ = handle(.received(Self.bob, ReceivedMessage(decoding: PeerMessage.sharing(.tags([tag])).encoded)))
    }

    mutating func handle(_ event: Replicator.Event, after duration: Duration = .zero) -> [Replicator.Effect] {
        replicator.handle(event, at: now + duration)
    }

    /// What Alice says when Bob says something; whatever they say must be a message that they can read.
    mutating func hear(_ message: PeerMessage) throws -> [PeerMessage] {
        try messages(in: handle(.received(Self.bob, ReceivedMessage(decoding: message.encoded))))
    }

    func messages(in effects: [Replicator.Effect]) throws -> [PeerMessage] {
        try effects.compactMap { effect in
            guard case .send(_, let bytes, _) = effect else { return nil }
            #expect(bytes.count <= SecureChannel.maximumMessageBytes)
            return try PeerMessage(decoding: bytes)
        }
    }

    func slot(_ lane: Lane = .content) -> PeerMessage.LaneSlot { .init(slot: 0, lane: lane) }

    /// How Bob says what they hold.
    func said(_ digest: FrontierDigest) -> LaneDigest { LaneDigest(of: digest, transcript: transcript) }

    static func device(_ number: Int) -> DeviceID { DeviceID(digest: name(number)) }

    /// A frontier of so many chains, each of which has so many branches.
    static func frontier(chains: Int, branches: Int = 1, length: UInt64 = 1) -> Frontier {
        Frontier(
            (0..<chains).flatMap { chain in
                (0..<branches).map { branch in
                    (
                        device(chain),
                        ChainTip(sequenceNumber: length, id: OperationID(digest: name(chain * 100_000 + branch)))
                    )
                }
            })
    }

    private static func name(_ number: Int) -> Digest {
        .hash("test/name", (0..<5).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    /// All parts in which Alice says what they hold, each after the one before was answered.
    mutating func parts() throws -> [ChainPart] {
        var parts: [ChainPart] = []
        var said = try hear(.lane(slot(), .chainsRequest))
        while case .lane(_, .chains(let isWanted, let part))? = said.first(where: Self.isAboutChains) {
            #expect(isWanted)
            parts.append(part)
            said = try hear(.lane(slot(), .done))
        }
        return parts
    }

    static func isAboutChains(_ message: PeerMessage) -> Bool {
        if case .lane(_, .chains) = message { true } else { false }
    }
}

@Suite("Who says what is held keeps what a message may hold")
struct PagingTests {
    @Test(arguments: [-1, 0, 1, 5_000])
    func `chains`(surplus: Int) throws {
        let frontier = Page.frontier(chains: PeerMessage.maximumChains + surplus)
        var page = Page(holding: frontier)
        let parts = try page.parts()
        #expect(parts.count == (surplus == 5_000 ? 3 : surplus == 1 ? 2 : 1))
        try expect(parts, toSay: frontier)
    }

    @Test(arguments: [255, 256, 257, 4_095, 4_096, 4_097])
    func `branches of chains`(branches: Int) throws {
        let frontier = Page.frontier(chains: 3, branches: branches)
        var page = Page(holding: frontier)
        try expect(try page.parts(), toSay: frontier)
    }

    @Test(arguments: [-1, 0, 1])
    func `branches of one chain`(surplus: Int) throws {
        let frontier = Page.frontier(chains: 1, branches: PeerMessage.maximumBranches + surplus)
        var page = Page(holding: frontier)
        let parts = try page.parts()
        #expect(parts.map(\.isLast) == [true])
        #expect(
            parts[0].chains[0].tips.count == min(PeerMessage.maximumBranches + surplus, PeerMessage.maximumBranches))
    }

    @Test(arguments: [-1, 0, 1])
    func `numbers of chains, and the chains where there are too many`(surplus: Int) throws {
        let frontier = Page.frontier(chains: PeerMessage.maximumChains + surplus)
        var page = Page(holding: frontier)
        _ = page.handle(
            .received(Page.bob, ReceivedMessage(decoding: PeerMessage.lane(page.slot(), .status(.unlike)).encoded)))
        let said = try page.messages(in: page.handle(.tick))
        let isNumbers = said.contains { if case .lane(_, .frontier) = $0 { true } else { false } }
        #expect(isNumbers == (surplus <= 0))
        #expect(said.contains(where: Page.isAboutChains) == (surplus > 0))
    }

    @Test(arguments: [-1, 0, 1])
    func `what is wanted of chains`(surplus: Int) throws {
        let count = PeerMessage.maximumChains + surplus
        var page = Page(holding: Page.frontier(chains: count))
        let theirs = Page.frontier(chains: count, length: 2)
        var wanted: [DeviceID: KnownChain] = [:]
        var after: DeviceID?
        repeat {
            let part = ChainPart(of: theirs, after: after)
            after = part.isLast ? nil : part.chains.last?.device
            for case .lane(_, .want(let chains)) in try page.hear(.lane(page.slot(), .chains(isWanted: false, part))) {
                wanted.merge(chains) { $1 }
            }
        } while after != nil
        #expect(wanted.count == count)
        #expect(wanted.values.allSatisfy { $0 == .through(1) })
    }

    @Test(arguments: [-1, 0, 1])
    func `what is wanted of branches`(surplus: Int) throws {
        let count = PeerMessage.maximumBranches + surplus
        var page = Page(holding: Page.frontier(chains: 1, branches: count))
        let theirs = Page.frontier(chains: 1, length: 9)
        let said = try page.hear(.lane(page.slot(), .chains(isWanted: false, ChainPart(of: theirs, after: nil))))
        let ends = said.compactMap { message in
            if case .lane(_, .want(let chains)) = message { chains[Page.device(0)]?.ends.count } else { nil }
        }
        #expect(ends == [min(count, PeerMessage.maximumBranches)])
    }

    @Test
    func `what is wanted of branches, and does not count as answered with what did not fit`() throws {
        var page = Page(holding: Page.frontier(chains: 3, branches: PeerMessage.maximumBranches / 2 + 1))
        let theirs = Page.frontier(chains: 3, length: 9)
        _ = try page.hear(.lane(page.slot(), .status(.unlike)))
        let said = try page.hear(.lane(page.slot(), .chains(isWanted: false, ChainPart(of: theirs, after: nil))))
        let wanted = said.compactMap { message in
            if case .lane(_, .want(let chains)) = message { chains.count } else { nil }
        }
        #expect(wanted == [1])
        let more = Page.frontier(chains: 4, branches: PeerMessage.maximumBranches / 2 + 1)
        _ = page.handle(
            .committed(page.conversation, .content, more, .fetched))
        _ = try page.hear(.lane(page.slot(), .done))
        let id = Replicator.LaneID(conversation: page.conversation, lane: .content)
        #expect(page.replicator.peers[Page.bob]?.lanes[id]?.state == .different)
    }

    @Test(arguments: [-1, 0, 1])
    func `conversations`(surplus: Int) throws {
        var random = SplitMix64(seed: 3)
        let people = [Person(using: &random), Person(using: &random)]
        var replicator = Replicator(device: people[0].author.device, replicaEpoch: random.bytes(16), introduction: [])
        let count = PeerMessage.maximumListEntries + surplus
        let now = Instant(sinceStart: .zero)
        for number in 0..<count {
            let id = ConversationID(digest: .hash("test", [UInt8(number & 0xFF), UInt8(number >> 8)]))
            _ = replicator.handle(.opened(id, .group, membership: Frontier(), content: Frontier()), at: now)
            _ = replicator.handle(.audienceChanged(id, [people[1].user: .member]), at: now)
        }
        let identity = PeerIdentity(
            device: people[1].author.device,
            record: IdentityRecord(
                root: people[1].root, serial: 1, devices: [.init(device: people[1].author.device, name: "")]))
        let effects = replicator.handle(
            .connected(Page.bob, identity, transcript: random.bytes(64), role: .initiator), at: now)
        var tags = 0
        for case .send(_, let bytes, _) in effects {
            if case .sharing(.tags(let part)) = try PeerMessage(decoding: bytes) { tags += part.count }
        }
        #expect(tags == count)
    }

    /// Checks that parts say each chain once, and speak of every device once.
    private func expect(_ parts: [ChainPart], toSay frontier: Frontier) throws {
        var said: [(device: DeviceID, tip: ChainTip)] = []
        for part in parts {
            for chain in part.chains { said += chain.tips.map { (chain.device, $0) } }
            #expect(part.chains.allSatisfy { part.range.contains($0.device) })
        }
        #expect(Frontier(said) == frontier)
        #expect(parts.last?.isLast == true && parts.dropLast().allSatisfy { !$0.isLast })
        for (part, next) in zip(parts, parts.dropFirst()) { #expect(next.after == part.range.through) }
        #expect(parts.first?.after == nil)
    }
}

@Suite("Who is not a member is told of a lane what they may know")
struct MembershipStatusTests {
    private static let held = Page.frontier(chains: 3)

    private func questions(_ lane: Lane, to page: Page) -> [PeerMessage] {
        let slot = PeerMessage.LaneSlot(slot: 0, lane: lane)
        let theirs = Page.frontier(chains: 2, length: 4)
        return [
            .lane(slot, .status(page.said(theirs.digest))), .lane(slot, .chainsRequest),
            .lane(slot, .frontier(isWanted: true, digest: .unlike, chainList: .unlike, sequenceNumbers: [1, 2])),
            .lane(
                slot,
                .frontier(
                    isWanted: true, digest: page.said(theirs.digest),
                    chainList: page.said(Replicator.digest(of: Self.held.devices)),
                    sequenceNumbers: Self.held.devices.map { _ in 2 })),
            .lane(slot, .chains(isWanted: true, ChainPart(of: theirs, after: nil))), .lane(slot, .want([:])),
        ]
    }

    /// What somebody is told who asks for all they can think of.
    private func told(_ lane: Lane, as standing: MembershipStatus?) throws -> (said: [PeerMessage], isServed: Bool) {
        var page = Page(holding: Self.held, lane: lane, standing: standing)
        var said: [PeerMessage] = []
        var isServed = false
        for question in questions(lane, to: page) {
            let effects = page.handle(.received(Page.bob, ReceivedMessage(decoding: question.encoded)))
            said += try page.messages(in: effects)
            isServed = isServed || effects.contains { if case .serve = $0 { true } else { false } }
            #expect(page.replicator.lanes.values.allSatisfy { $0.source == nil }, "they never become a source")
        }
        said += try page.messages(in: page.handle(.tick))
        return (said, isServed)
    }

    @Test(arguments: [MembershipStatus.invited, .former, nil])
    func `of messages nothing at all`(standing: MembershipStatus?) throws {
        let (said, isServed) = try told(.content, as: standing)
        #expect(!isServed)
        #expect(said.allSatisfy { if case .lane(_, .done) = $0 { true } else { false } })
    }

    @Test(arguments: [MembershipStatus.former, nil])
    func `of members no chain, although they are asked for their own`(standing: MembershipStatus?) throws {
        let (said, isServed) = try told(.membership, as: standing)
        #expect(isServed == (standing == .former), "a removal proof is served")
        #expect(
            said.allSatisfy { message in
                switch message {
                case .lane(_, .done), .lane(_, .chainsRequest): true
                // Whoever is nobody here is asked for whole chains, as where nothing is held.
                case .lane(_, .want(let chains)): standing == nil && chains.values.allSatisfy { $0 == .through(0) }
                default: false
                }
            })
    }

    @Test func `a former member who asks for chains is told once why they are out, and asked the same`() throws {
        var page = Page(holding: Self.held, lane: .membership, standing: .former)
        let question = ReceivedMessage(decoding: PeerMessage.lane(page.slot(.membership), .chainsRequest).encoded)
        let effects = page.handle(.received(Page.bob, question))
        #expect(Self.isRemovalProofServed(effects))
        #expect(try page.messages(in: effects) == [.lane(page.slot(.membership), .chainsRequest)])
        #expect(page.handle(.received(Page.bob, question)).isEmpty)
        _ = page.handle(.committed(page.conversation, .membership, Page.frontier(chains: 4), .fetched))
        #expect(Self.isRemovalProofServed(page.handle(.received(Page.bob, question))))
    }

    @Test(arguments: [false, true])
    func `a former member who says nothing of what they hold is asked, for they may take us for out`(
        saysSomething: Bool
    ) throws {
        var page = Page(holding: Self.held, lane: .membership, standing: .former)
        if saysSomething {
            let status = PeerMessage.lane(page.slot(.membership), .status(page.said(Frontier().digest)))
            _ = page.handle(.received(Page.bob, ReceivedMessage(decoding: status.encoded)))
        }
        let early = try page.messages(in: page.handle(.tick, after: .milliseconds(500)))
        #expect(early.isEmpty)
        let late = try page.messages(in: page.handle(.tick, after: .seconds(2)))
        #expect(late.contains(.lane(page.slot(.membership), .chainsRequest)) == !saysSomething)
    }

    private static func isRemovalProofServed(_ effects: [Replicator.Effect]) -> Bool {
        effects.contains { effect in
            guard case .serve(_, _, .membership, let known, isRestricted: true) = effect else { return false }
            return known == Replicator.Known(chains: [:], covered: .all)
        }
    }

    @Test func `an outsider is asked for whole chains, so that what is held here is not told`() throws {
        var page = Page(holding: Self.held, lane: .membership, standing: .former)
        let said = try page.messages(in: page.handle(.lacking(Page.bob, page.conversation, [Page.device(1)])))
        #expect(said == [.lane(page.slot(.membership), .want([Page.device(1): .through(0)]))])
    }
}

@Suite("Who compares what is equal is told so")
struct EqualLaneTests {
    private func statuses(_ said: [PeerMessage]) -> Int {
        said.count { if case .lane(_, .status) = $0 { true } else { false } }
    }

    @Test(arguments: [1, 3])
    func `once, although they want no answer`(branches: Int) throws {
        let frontier = Page.frontier(chains: 3, branches: branches)
        var page = Page(holding: Page.frontier(chains: 2))
        _ = page.handle(.committed(page.conversation, .content, frontier, .pushed(unreached: [])))
        let numbers = frontier.devices.map { frontier.sequenceNumber(of: $0) }
        let question: PeerMessage =
            branches > 1
            ? .lane(page.slot(), .chains(isWanted: false, ChainPart(of: frontier, after: nil)))
            : .lane(
                page.slot(),
                .frontier(
                    isWanted: false, digest: page.said(frontier.digest),
                    chainList: page.said(Replicator.digest(of: frontier.devices)), sequenceNumbers: numbers))
        #expect(statuses(try page.hear(question)) == 1)
        #expect(statuses(try page.hear(question)) == 0)
    }
}

@Suite("Who has not applied what was answered waits with what else they ask")
struct WaitingQuestionTests {
    /// A question about a lane that names one chain and so many ends of its branches.
    private func question(_ lane: Lane, ends: Int) -> PeerMessage {
        let tips = Page.frontier(chains: 1, branches: ends).tips.values.flatMap { $0.map(\.id) }
        return .lane(PeerMessage.LaneSlot(slot: 0, lane: lane), .want([Page.device(0): .branches(tips.sorted())]))
    }

    private func served(_ effects: [Replicator.Effect]) -> [Lane] {
        effects.compactMap { if case .serve(_, _, let lane, _, _) = $0 { lane } else { nil } }
    }

    @Test(arguments: [-1, 0, 1])
    func `as long as both lanes together name no more than so much`(surplus: Int) throws {
        var page = Page(holding: Page.frontier(chains: 3))
        page.replicator.peers[Page.bob]?.answers.unapplied = Replicator.credit
        let ends = [Replicator.maximumWaitingDevices / 2 - 1, Replicator.maximumWaitingDevices / 2 - 1 + surplus]
        for (lane, count) in zip([Lane.content, .membership], ends) {
            let effects = page.handle(
                .received(Page.bob, ReceivedMessage(decoding: question(lane, ends: count).encoded)))
            #expect(served(effects).isEmpty)
        }
        let waiting = page.replicator.peers[Page.bob]?.answers.questions.keys.map(\.lane)
        #expect(Set(waiting ?? []) == (surplus > 0 ? [.content] : [.content, .membership]))
        // What waits is answered as soon as there is credit, and nothing else.
        var answered = served(
            page.handle(.received(Page.bob, ReceivedMessage(decoding: PeerMessage.credit(Replicator.credit).encoded))))
        answered += served(page.handle(.received(Page.bob, ReceivedMessage(decoding: PeerMessage.credit(1).encoded))))
        #expect(Set(answered) == (surplus > 0 ? [.content] : [.content, .membership]))
    }
}

@Suite("Replicas become equal whatever somebody has made of their chains")
struct HugeListTests {
    @Test func `300 branches of one chain`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 31)
        try fixture.write(2, at: 1)
        try fixture.fork(by: 0, branches: 300, to: [1, 2])
        try fixture.connect(1, 2)
        try fixture.run(for: .seconds(10))
        #expect(fixture.hosts[1].log.contentFrontier == fixture.hosts[2].log.contentFrontier)
        #expect(fixture.hosts[1].log.contentFrontier.tips[fixture.hosts[0].person.device]?.count == 300)
        #expect(fixture.bans.isEmpty && fixture.disconnections == 0)
        try fixture.write(3, at: 2)
        try fixture.run(for: .seconds(5))
        #expect(fixture.hosts[1].log.contentFrontier == fixture.hosts[2].log.contentFrontier)
    }

    @Test func `more chains than a message names`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 32)
        try fixture.crowd(PeerMessage.maximumChains + 300, by: 0, to: [1, 2])
        try fixture.connect(1, 2)
        try fixture.run(for: .seconds(20))
        #expect(fixture.hosts[1].log.contentFrontier == fixture.hosts[2].log.contentFrontier)
        #expect(fixture.hosts[1].log.contentFrontier.tips.count == PeerMessage.maximumChains + 300)
        #expect(fixture.bans.isEmpty && fixture.disconnections == 0)
    }
}
