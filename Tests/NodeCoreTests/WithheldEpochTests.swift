import Conversations
import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Carol, who means ill, gives Bob the header of an epoch without its body. Alice, who has it, writes under it.
@Suite("Bodies of epochs that somebody withholds")
struct WithheldEpochTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var fetcher = BodyFetcher()
    private var trio: Trio
    private let group: ConversationID
    private let (fromAlice, fromCarol): (PeerHandle, PeerHandle)
    /// Carol's epochs. What is in them does not matter here.
    private var epochs: [Operation] = []

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        (fromAlice, fromCarol) = (trio.connect(Self.bob, to: Self.alice), trio.connect(Self.bob, to: Self.carol))
        self.trio = trio
        try writeEpochs(3)
    }

    /// Carol writes epochs, and gives them to Alice.
    private mutating func writeEpochs(_ count: Int) throws {
        epochs += try trio.cores[Self.carol].write(in: group) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: (0..<count).map { .init(type: .epoch, body: [UInt8($0 % 256)]) }, by: author, at: time)
        }.map(\.operation)
        trio.deliver(group, from: Self.carol, to: Self.alice)
    }

    /// Bob hears of some operations, without their bodies.
    private mutating func tellBob(_ operations: [Operation], from peer: PeerHandle) {
        let batch = Batch(lane: .content, operations: operations).withoutBodies { $0.header.type == .epoch }
        trio.cores[Self.bob].admit(batch.encoded, to: group, lane: .content, from: peer)
    }

    /// Somebody writes under an epoch of Carol's, and Bob hears of it.
    private mutating func write(under epoch: Operation, by index: Int) throws {
        let written = try trio.cores[index].write(in: group) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: [.init(type: .message, epoch: epoch.id, body: Array(repeating: 1, count: 56))], by: author,
                at: time)
        }
        tellBob(written.map(\.operation), from: index == Self.alice ? fromAlice : fromCarol)
    }

    /// Who is asked for what.
    private mutating func questions(
        after event: BodyFetcher.Event, at now: Duration
    ) -> [(peer: PeerHandle, bodies: [OperationID])] {
        trio.cores[Self.bob].moment = Trio.after(now)
        return fetcher.handle(event, in: &trio.cores[Self.bob].context).events.compactMap { event in
            guard case .saying(.bodies(.wanted(let bodies)), group, _, let peers, _) = event else { return nil }
            let peer = peers[0]
            return (peer, bodies)
        }
    }

    /// Time passes, while nobody has anything, and those who keep silent do so.
    private mutating func searchInVain(until end: Duration, silent: Set<PeerHandle> = []) {
        var (event, now) = (BodyFetcher.Event.changed(group), Duration.zero)
        while now < end {
            var asked = questions(after: event, at: now)
            while let next = asked.popLast() {
                guard !silent.contains(next.peer) else { continue }
                let device = trio.cores[next.peer == fromAlice ? Self.alice : Self.carol].device.id
                asked += questions(after: .answered([], wanted: [], by: device, in: group), at: now)
            }
            (event, now) = (.tick, now + .milliseconds(50))
        }
    }

    @Test mutating func `nobody takes an epoch back, for others seal under it`() throws {
        let epoch = try #require(epochs.first).id
        let body = try #require(AnnotationBody(of: epoch, .delete))
        let deletion = try trio.cores[Self.carol].write(closed: [(.delete, body.encoded)], in: group)
        tellBob(epochs + deletion.map(\.operation), from: fromCarol)
        let links = trio.disks[Self.bob].image.conversations[group]?.links
        #expect(try links?[#require(deletion.last).operation.id] == .message(epoch))
        #expect(trio.bob.replicas[group]?.wanted.contains(epoch) == true)
    }

    @Test mutating func `whoever writes under an epoch is asked for its body at once, though nobody had it before`()
        throws
    {
        tellBob(epochs, from: fromCarol)
        searchInVain(until: .seconds(31))
        #expect(questions(after: .tick, at: .seconds(31)).isEmpty, "the search rests")
        try write(under: epochs[0], by: Self.alice)
        let asked = questions(after: .changed(group), at: .seconds(31))
        #expect(asked.contains { $0.peer == fromAlice && $0.bodies.contains(epochs[0].id) })
    }

    @Test mutating func `nobody waits for a silent person, nor for all that they wrote without bodies`() throws {
        try writeEpochs(597)
        tellBob(epochs, from: fromCarol)
        searchInVain(until: .seconds(20), silent: [fromCarol])
        // Carol is asked, and does not answer.
        _ = questions(after: .tick, at: .seconds(20))
        try write(under: epochs[599], by: Self.carol)
        try write(under: epochs[599], by: Self.alice)
        let asked = questions(after: .changed(group), at: .seconds(20))
        #expect(asked.contains { $0.peer == fromAlice && $0.bodies.contains(epochs[599].id) })
    }

    @Test mutating func `each person is heard once about each body, and its maker never`() throws {
        tellBob(epochs, from: fromCarol)
        var total: Int { trio.bob.replicas[group]?.wanted.total ?? 0 }
        let before = total
        for _ in 0..<5 {
            try write(under: epochs[0], by: Self.carol)
            try write(under: epochs[0], by: Self.alice)
        }
        #expect(total == before + 1)
        try write(under: epochs[1], by: Self.alice)
        #expect(total == before + 2)
    }

    @Test func `a message that its key opens later is told of once more`() throws {
        var trio = try Trio()
        let ship = try trio.cores[Self.alice].createGroup(
            name: "Ship", members: [trio.bob.me, trio.carol.me], at: Trio.moment)
        trio.cores[Self.bob].open(ship, root: .group)
        trio.deliver(ship, to: Self.bob)
        _ = try trio.cores[Self.alice].send(["Welcome"], to: ship, at: Trio.moment)
        let written = trio.disks[Self.alice].image.operations(of: ship, lane: .content)
        let batch = Batch(lane: .content, operations: written).withoutBodies { $0.header.type == .epoch }
        let fromAlice = trio.connect(Self.bob, to: Self.alice)
        trio.cores[Self.bob].admit(batch.encoded, to: ship, lane: .content, from: fromAlice)
        let (epoch, message) = (try #require(written.first), try #require(written.last))
        guard epoch.header.type == .epoch, case .unreadable = trio.cores[Self.bob].read(message, in: ship) else {
            Issue.record("the message does not open without its key")
            return
        }
        _ = trio.cores[Self.bob].takeEffects()
        trio.cores[Self.bob].fill([.init(operation: epoch.id, bytes: epoch.body ?? [])], in: ship, from: fromAlice)
        guard case .open = trio.cores[Self.bob].read(message, in: ship) else {
            Issue.record("the message opens with its key")
            return
        }
        let told = trio.cores[Self.bob].takeEffects()
        #expect(told.contains { if case .show(.conversation(ship)) = $0 { true } else { false } })
    }

    @Test mutating func `what is claimed and came is wanted by nobody`() throws {
        tellBob(epochs, from: fromCarol)
        for epoch in epochs.prefix(2) { try write(under: epoch, by: Self.alice) }
        var wanted = try #require(trio.bob.replicas[group]?.wanted)
        let alice = trio.alice.device.id
        #expect(wanted.claims(of: alice, after: 0) == epochs.prefix(2).map(\.id).sorted())
        wanted.subtract([epochs[0].id])
        #expect(wanted.claims(of: alice, after: 0) == [epochs[1].id])
        #expect(wanted.contains(heldBy: alice))
        wanted.subtract([epochs[1].id])
        #expect(!wanted.contains(heldBy: alice))
        #expect(wanted.contains(heldBy: trio.carol.device.id))
        #expect(wanted.operations == [epochs[2].id])
        var walk = wanted.walk()
        #expect(wanted.next(along: &walk) == [epochs[2].id])
    }
}
