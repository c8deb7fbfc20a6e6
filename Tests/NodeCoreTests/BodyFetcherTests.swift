import OperationLog
import OperationLogFixtures
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Bob's node lacks the body of a message by Alice, and asks for it.
@Suite("The machine for missing bodies")
struct BodyFetcherTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var fetcher = BodyFetcher()
    private var trio: Trio
    private let group: ConversationID
    private let message: AdmittedOperation
    private let (fromAlice, fromCarol): (PeerHandle, PeerHandle)
    private var written: [OperationID: AdmittedOperation] = [:]

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        message = try #require(try trio.cores[Self.alice].send(["Land!"], to: group, at: Trio.moment).last)
        fromAlice = trio.connect(Self.bob, to: Self.alice)
        fromCarol = trio.connect(Self.bob, to: Self.carol)
        // Its header is here, its body is not.
        let header = Batch(lane: .content, operations: [message.operation]).withoutBodies { _ in true }
        trio.cores[Self.bob].admit(header.encoded, to: group, lane: .content, from: fromAlice)
        self.trio = trio
        written[message.operation.id] = message
    }

    private mutating func handle(_ event: BodyFetcher.Event, after duration: Duration = .zero) -> [MachineRequest] {
        trio.cores[Self.bob].moment = Trio.after(duration)
        return fetcher.handle(event, in: &trio.cores[Self.bob].context)
    }

    /// Who is asked for what.
    private func asked(_ requests: [MachineRequest]) -> [PeerHandle] {
        requests.events.compactMap { event in
            guard case .saying(.bodies(.wanted([message.operation.id])), group, _, let peers, _) = event else {
                return nil
            }
            return peers.first
        }
    }

    private func answer(_ wanted: [AdmittedOperation], by index: Int) -> BodyFetcher.Event {
        .answered(wanted.map(\.operation.id), wanted: wanted, by: trio.cores[index].device.id, in: group)
    }

    @Test mutating func `one member is asked, and nobody else until an answer is due`() {
        #expect(asked(handle(.changed(group))) == [fromAlice])
        #expect(handle(.tick, after: .milliseconds(200)).isEmpty)
        #expect(asked(handle(.tick, after: PersonTurns.answerTimeout)) == [fromCarol])
    }

    @Test mutating func `who did not have it is remembered, and the next is asked`() {
        _ = handle(.changed(group))
        #expect(asked(handle(answer([], by: Self.alice))) == [fromCarol])
        #expect(fetcher.denials(of: message.operation.id, in: group) == [trio.alice.device.id])
    }

    @Test mutating func `what somebody sends who was not asked changes nothing`() {
        _ = handle(.changed(group))
        for _ in 0..<20 { #expect(handle(answer([], by: Self.carol)).isEmpty) }
        #expect(fetcher.denials(of: message.operation.id, in: group).isEmpty)
        #expect(asked(handle(.tick, after: .seconds(2))) == [fromCarol])
    }

    @Test mutating func `the longer nobody has it, the seldomer it is asked for, but at least every ten seconds`() {
        var peer = asked(handle(.changed(group))).first
        var (now, waits): (Duration, [Duration]) = (.zero, [])
        for _ in 0..<8 {
            // Both say at once that they have nothing.
            while let one = peer {
                peer = asked(handle(answer([], by: one == fromAlice ? Self.alice : Self.carol), after: now)).first
            }
            var wait = Duration.zero
            while peer == nil {
                wait += .milliseconds(250)
                peer = asked(handle(.tick, after: now + wait)).first
            }
            now += wait
            waits.append(wait)
        }
        #expect(waits == waits.sorted())
        #expect(waits.last == .seconds(10))
    }

    /// Alice's group, of which Bob is connected to eight who never answer.
    private func withSilentPeople() throws -> (trio: Trio, ship: ConversationID) {
        var random = SeededRandom(seed: 41)
        let liars = (0..<8).map { _ in Person(using: &random) }
        var trio = try Trio()
        for liar in liars {
            _ = trio.cores[Self.alice].contacts.learn(liar.credentials)
            trio.cores[Self.alice].learn(try #require(liar.card(name: "Mallory")))
        }
        let ship = try trio.cores[Self.alice].createGroup(
            name: "Ship", members: [trio.bob.me, trio.carol.me] + liars.map(\.user), at: Trio.moment)
        trio.cores[Self.bob].open(ship, root: .group)
        trio.deliver(ship, to: Self.bob)
        for liar in liars {
            let handle = trio.cores[Self.bob].begin(
                to: nil, at: Endpoint(host: "192.0.2.9", port: 1), moment: Trio.moment)
            trio.cores[Self.bob].context.links[handle]?.identity = PeerIdentity(
                device: liar.author.device, record: liar.credentials.identity)
        }
        return (trio, ship)
    }

    /// Alice writes a message, of which a peer brings Bob the header alone.
    private func sayWithoutBody(
        in ship: ConversationID, of trio: inout Trio, by peer: PeerHandle
    ) throws -> AdmittedOperation {
        let sent = try #require(try trio.cores[Self.alice].send(["Land!"], to: ship, at: Trio.moment).last)
        let all = Batch(
            lane: .content, operations: trio.disks[Self.alice].image.operations(of: ship, lane: .content))
        let headers = all.withoutBodies { $0.id == sent.operation.id }
        trio.cores[Self.bob].admit(headers.encoded, to: ship, lane: .content, from: peer)
        return sent
    }

    @Test mutating func `eight silent people hold bodies up for no longer than two seconds in all`() throws {
        var (trio, ship) = try withSilentPeople()
        // Whoever has it came last; who wrote it is away.
        let toCarol = trio.connect(Self.bob, to: Self.carol)
        var waits: [Duration] = []
        var now = Duration.zero
        for _ in 0..<5 {
            let sent = try sayWithoutBody(in: ship, of: &trio, by: toCarol)
            try #require(trio.bob.replicas[ship]?.wanted.operations == [sent.operation.id])
            let begin = now
            var event = BodyFetcher.Event.changed(ship)
            while now - begin < .seconds(60) {
                trio.cores[Self.bob].moment = Trio.after(now)
                let isAsked = fetcher.handle(event, in: &trio.cores[Self.bob].context).events.contains { event in
                    if case .saying(.bodies(.wanted), _, _, [toCarol], _) = event { true } else { false }
                }
                if isAsked { break }
                now += .milliseconds(50)
                event = .tick
            }
            waits.append(now - begin)
            _ = fetcher.handle(
                .answered([sent.operation.id], wanted: [sent], by: trio.carol.device.id, in: ship),
                in: &trio.cores[Self.bob].context)
            trio.cores[Self.bob].replicas[ship]?.wanted = WantedBodies()
            _ = fetcher.handle(.changed(ship), in: &trio.cores[Self.bob].context)
            now += .seconds(5)
        }
        #expect(waits.reduce(.zero, +) <= .seconds(2), "not after \(waits)")
        #expect(waits.last == .zero, "they have had their turns: \(waits)")
    }

    @Test mutating func `of those who kept silent before four are asked at a time, until all were`() throws {
        var (trio, ship) = try withSilentPeople()
        let toCarol = trio.connect(Self.bob, to: Self.carol)
        var everAsked: [Set<PeerHandle>] = []
        for _ in 0..<2 {
            _ = try sayWithoutBody(in: ship, of: &trio, by: toCarol)
            var (asked, mostAtOnce, event) = (Set<PeerHandle>(), 0, BodyFetcher.Event.changed(ship))
            for step in 0..<40 {
                trio.cores[Self.bob].moment = Trio.after(.seconds(everAsked.count * 20) + .milliseconds(step * 50))
                let now = fetcher.handle(event, in: &trio.cores[Self.bob].context).events.compactMap { event in
                    if case .saying(.bodies(.wanted), _, _, let peers, _) = event { peers.first } else { nil }
                }
                (asked, mostAtOnce, event) = (asked.union(now), max(mostAtOnce, now.count), .tick)
            }
            #expect(mostAtOnce <= PersonTurns.maximumWidth + 1)
            everAsked.append(asked)
        }
        #expect(everAsked.map(\.count) == [9, 9])
    }

    /// Writes some messages, whose headers alone come to Bob.
    private mutating func sayWithoutBodies(_ count: Int, by index: Int) throws -> [OperationID] {
        let texts = (0..<count).map { "Land \($0)!" }
        let sent = try trio.cores[index].send(texts, to: group, at: Trio.moment)
        trio.cores[Self.bob].admit(
            Batch(lane: .content, operations: sent.map(\.operation)).withoutBodies { _ in true }.encoded, to: group,
            lane: .content, from: fromCarol)
        try #require(sent.allSatisfy { trio.bob.replicas[group]?.wanted.contains($0.operation.id) == true })
        for operation in sent { written[operation.operation.id] = operation }
        return sent.map(\.operation.id)
    }

    /// How somebody answers questions for bodies.
    private struct Manner {
        var delay: Duration = .zero
        /// How many bodies an answer has room for.
        var room = PeerMessage.maximumBodies
        var has: (OperationID, Duration) -> Bool = { _, _ in false }
    }

    /// Lets time pass in steps of 50 ms, in which Alice's and Carol's devices answer.
    ///
    /// - Returns: when the awaited bodies had come, if they did in time.
    private mutating func time(
        of awaited: Set<OperationID>, alice: Manner, carol: Manner, within limit: Duration,
        each step: (inout Self, Duration) throws -> Void = { _, _ in }
    ) throws -> Duration? {
        var answers: [(at: Duration, by: Int, has: [OperationID])] = []
        var now = Duration.zero
        while now < limit {
            try step(&self, now)
            var requests = handle(.tick, after: now)
            while true {
                for case .saying(.bodies(.wanted(let bodies)), group, _, let peers, _) in requests.events {
                    let peer = peers[0]
                    let (index, manner) = peer == fromAlice ? (Self.alice, alice) : (Self.carol, carol)
                    let has = Array(bodies.filter { manner.has($0, now) }.prefix(manner.room))
                    answers.append((now + manner.delay, index, has))
                }
                guard let next = answers.firstIndex(where: { $0.at <= now }) else { break }
                let answer = answers.remove(at: next)
                let wanted = answer.has.filter { trio.bob.replicas[group]?.wanted.contains($0) == true }
                requests = handle(
                    .answered(
                        answer.has, wanted: wanted.compactMap { written[$0] }, by: trio.cores[answer.by].device.id,
                        in: group), after: now)
                trio.cores[Self.bob].replicas[group]?.wanted.subtract(wanted)
                requests += handle(.changed(group), after: now)
            }
            if awaited.allSatisfy({ trio.bob.replicas[group]?.wanted.contains($0) == false }) { return now }
            now += .milliseconds(50)
        }
        return nil
    }

    @Test mutating func `who brings their own bodies slowly, one after the other, keeps nobody from being asked again`()
        throws
    {
        let awaited = message.operation.id
        let ofCarol = Set([awaited])
        let time = try time(
            of: ofCarol, alice: Manner { $0 == awaited && $1 >= .seconds(5) },
            carol: Manner(delay: .milliseconds(270)) { id, _ in id != awaited }, within: .seconds(60)
        ) { test, now in
            if now.components.attoseconds % 100_000_000_000_000_000 == 0 {
                _ = try test.sayWithoutBodies(1, by: Self.carol)
            }
        }
        #expect(try #require(time) <= .seconds(16))
    }

    @Test mutating func `who brings much, slowly, and answers with more than is theirs, keeps nobody else's waiting`()
        throws
    {
        let awaited = message.operation.id
        let many = Set(try sayWithoutBodies(3_000, by: Self.carol))
        for room in [PeerMessage.maximumBodies, 1] {
            var test = self
            let time = try test.time(
                of: [awaited], alice: Manner { id, _ in id == awaited },
                carol: Manner(delay: .milliseconds(270), room: room) { id, _ in many.contains(id) },
                within: .seconds(60))
            #expect(try #require(time) <= .seconds(3))
        }
    }

    @Test mutating func `much that was brought lengthens no rest`() throws {
        let awaited = message.operation.id
        let many = Set(try sayWithoutBodies(1_000, by: Self.carol))
        let time = try time(
            of: many.union([awaited]), alice: Manner { $0 == awaited && $1 >= .seconds(4) },
            carol: Manner(delay: .milliseconds(50), room: 40) { id, _ in many.contains(id) }, within: .seconds(60))
        #expect(try #require(time) <= .seconds(6))
    }

    @Test mutating func `somebody slow is asked for all, though passes end before they answer`() throws {
        let all = try sayWithoutBodies(600, by: Self.carol)
        let last = Set(all.suffix(50))
        let time = try time(
            of: last, alice: Manner(delay: .milliseconds(1_400)) { id, _ in last.contains(id) }, carol: Manner(),
            within: .seconds(60)
        ) { test, now in
            if now.components.attoseconds % 500_000_000_000_000_000 == 0 {
                _ = try test.sayWithoutBodies(1, by: Self.carol)
            }
        }
        #expect(try #require(time) <= .seconds(20))
    }

    @Test mutating func `of five thousand the last fifty are found soon`() throws {
        _ = try sayWithoutBodies(2_500, by: Self.carol)
        let last = Set(try sayWithoutBodies(2_500, by: Self.carol).suffix(50))
        let time = try time(
            of: last, alice: Manner { id, _ in last.contains(id) }, carol: Manner(), within: .seconds(60))
        #expect(try #require(time) <= .seconds(15))
    }

    @Test mutating func `headers whose bodies nobody has keep nobody else waiting, and cost little`() throws {
        let endless = Set(try sayWithoutBodies(2_000, by: Self.carol))
        var (awaited, latest): (Set<OperationID>, [OperationID]) = ([message.operation.id], [])
        var (asked, questions): ([PeerHandle: Set<OperationID>], Int) = ([:], 0)
        var ofEndless = 0
        // Who is asked answers before the next step, that nothing is there.
        func step(_ event: BodyFetcher.Event, _ fetcher: inout BodyFetcher, _ trio: inout Trio, at now: Duration) {
            trio.cores[Self.bob].moment = Trio.after(now)
            var requests = fetcher.handle(event, in: &trio.cores[Self.bob].context)
            while let (peer, bodies) = requests.question(in: group) {
                questions += 1
                asked[peer, default: []].formUnion(bodies)
                ofEndless += bodies.count { endless.contains($0) }
                let device = peer == fromAlice ? trio.alice.device.id : trio.carol.device.id
                requests = fetcher.handle(
                    .answered([], wanted: [], by: device, in: group), in: &trio.cores[Self.bob].context)
            }
        }
        for tenth in 0..<600 {
            let now = Duration.milliseconds(100 * tenth)
            if tenth % 60 == 30 {
                latest = try sayWithoutBodies(5, by: Self.alice)
                awaited.formUnion(latest)
            }
            _ = try sayWithoutBodies(1, by: Self.carol)
            step(.changed(group), &fetcher, &trio, at: now)
            #expect(awaited.isSubset(of: asked[fromAlice] ?? []), "what is new is asked for at once")
            #expect(awaited.isSubset(of: asked[fromCarol] ?? []))
            if tenth % 60 == 29 { (asked, awaited) = ([:], []) }
        }
        #expect(questions < 600 * 4, "of two, a few in each tenth of a second")
        // Passes rest at least a second, and ask each of two for 512 at most.
        #expect(ofEndless <= 60 * 2 * WantedBodies.maximumVain)
        #expect(ofEndless >= 4 * 2_000, "each is looked for again and again")
    }

    @Test mutating func `nothing is asked where nothing is wanted any more`() {
        _ = handle(.changed(group))
        trio.cores[Self.bob].replicas[group]?.wanted = WantedBodies()
        #expect(handle(.changed(group), after: .seconds(5)).isEmpty)
        #expect(handle(.tick, after: .seconds(60)).isEmpty)
    }
}

extension [MachineRequest] {
    /// The one question for bodies among them.
    fileprivate func question(in group: ConversationID) -> (peer: PeerHandle, bodies: [OperationID])? {
        for case .saying(.bodies(.wanted(let bodies)), group, _, let peers, _) in events { return (peers[0], bodies) }
        return nil
    }
}
