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

/// Bob's node has what Alice wrote, and says so.
@Suite("The machine for receipts")
struct ReceiptExchangeTests {
    private static let (alice, bob) = (0, 1)
    private var receipts = ReceiptExchange()
    private var trio: Trio
    private let group: ConversationID
    private let fromAlice: PeerHandle

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        fromAlice = trio.connect(Self.bob, to: Self.alice)
        self.trio = trio
        _ = receipts.handle(.opened(group), in: trio.bob.context)
        _ = receipts.handle(.shared(fromAlice, group), in: trio.bob.context)
    }

    private mutating func handle(_ event: ReceiptExchange.Event, after duration: Duration = .zero) -> [MachineRequest] {
        var context = trio.bob.context
        context.moment = Trio.after(duration)
        return receipts.handle(event, in: context)
    }

    /// What Bob says, once it is due.
    private mutating func say() throws -> ReceiptRecord {
        _ = handle(.changed(group))
        let due = try #require(receipts.nextDeadline)
        let requests = handle(.tick, after: due - Trio.moment.monotonic)
        guard case .saying(.receipts(.receipts(let new, _)), group, _, [fromAlice], _)? = requests.events.first,
            let bytes = new.first
        else {
            throw Unsaid()
        }
        return try ReceiptRecord(verifying: bytes, of: group)
    }

    private struct Unsaid: Error {}

    /// What Alice's device says in a later version.
    private func ofAlice(version: UInt64) -> ReceiptRecord {
        let own = trio.bob.device.id
        return ReceiptRecord(
            by: trio.alice.keys.author, in: group, version: version, time: Trio.moment.wall,
            marks: [own: .init(received: 1, read: 0)])
    }

    @Test mutating func `what came is said after a tenth of a second, signed and stored first`() throws {
        let record = try say()
        let written = try #require(trio.alice.replicas[group]).log.contentFrontier
            .sequenceNumber(of: trio.alice.device.id)
        #expect(record.device.id == trio.bob.device.id)
        #expect(record.marks[trio.alice.device.id]?.received == written)
        #expect(try trio.disks[Self.bob].receipts(of: group).contains { $0.record == record })
    }

    @Test mutating func `nothing is said twice`() throws {
        _ = try say()
        #expect(throws: Unsaid.self) { try say() }
    }

    @Test mutating func `a device put back says again what nobody took, because it had said something later before`()
        throws
    {
        let said = try say()
        let later = ReceiptRecord(
            by: trio.bob.keys.author, in: group, version: said.version + 60_000, time: Trio.moment.wall, marks: [:])
        _ = handle(.heard(.receipts([later.encoded], absent: []), of: group, from: fromAlice))
        let again = try say()
        #expect(again.marks == said.marks)
        #expect(again.supersedes(later))
    }

    @Test mutating func `what cannot be stored is said to nobody, and tried again`() throws {
        trio.disks[Self.bob].condition = .full
        _ = handle(.changed(group))
        let requests = handle(.tick, after: .seconds(1))
        #expect(requests.events.isEmpty)
        #expect(requests.contains { if case .storageFailed(.diskFull) = $0 { true } else { false } })
        trio.disks[Self.bob].condition = .healthy
        #expect(receipts.plans[group]?.due == Trio.moment.monotonic + .seconds(1) + ReceiptPlan.storageBackoff)
        #expect(sent(handle(.tick, after: .seconds(10))).map(\.peer) == [fromAlice])
    }

    @Test mutating func `a forged receipt turns its sender away`() throws {
        var bytes = ofAlice(version: 5).encoded
        bytes[bytes.count - 1] ^= 1
        #expect(handle(.heard(.receipts([bytes], absent: []), of: group, from: fromAlice)).offends(fromAlice))
        #expect(receipts.known[group]?[trio.alice.device.id] == nil)
    }

    @Test mutating func `what was withdrawn while there was no room, and is said again, is sent again`() throws {
        try trio.cores[Self.bob].markRead(group, at: Trio.moment)
        let shown = try say()
        let alice = trio.alice.device.id
        #expect(shown.marks[alice]?.read ?? 0 > 0)
        _ = handle(.congested(fromAlice, isCongested: true))
        try trio.cores[Self.bob].setSharesReads(false, at: Trio.moment)
        _ = handle(.changed(group), after: .seconds(10))
        #expect(sent(handle(.tick, after: .seconds(20))).isEmpty)
        _ = handle(.congested(fromAlice, isCongested: false), after: .seconds(20))
        // She compares, and gets it then.
        let asked = ReceiptExchange.Event.heard(.versions([]), of: group, from: fromAlice)
        let given = handedOn(handle(asked, after: .seconds(21)), to: fromAlice)
        let withdrawn = try ReceiptRecord(verifying: try #require(given.first), of: group)
        #expect(withdrawn.marks[alice]?.read == 0)
        try trio.cores[Self.bob].setSharesReads(true, at: Trio.moment)
        _ = handle(.changed(group), after: .seconds(30))
        #expect(sent(handle(.tick, after: .seconds(40))).map(\.peer) == [fromAlice])
    }

    // MARK: - Who gets it

    /// Whom Bob sends receipts of their devices, and for whom else, in order.
    private func sent(_ requests: [MachineRequest]) -> [(peer: PeerHandle, absent: [DeviceID])] {
        requests.events.compactMap { event in
            guard case .saying(.receipts(.receipts(_, let absent)), group, _, let peers, _) = event else { return nil }
            return (peers[0], absent)
        }
    }

    /// The receipts that Bob hands on to a peer.
    private func handedOn(_ requests: [MachineRequest], to peer: PeerHandle) -> [[UInt8]] {
        requests.events.flatMap { event -> [[UInt8]] in
            guard case .saying(.receipts(.receipts(let part, _)), group, _, [peer], .bulk) = event else { return [] }
            return part
        }
    }

    private mutating func meetCarol() -> PeerHandle {
        let carol = trio.connect(Self.bob, to: 2)
        _ = handle(.shared(carol, group))
        return carol
    }

    private func ofCarol(version: UInt64) -> ReceiptRecord {
        ReceiptRecord(
            by: trio.carol.keys.author, in: group, version: version, time: Trio.moment.wall,
            marks: [trio.alice.device.id: .init(received: 1, read: 1)])
    }

    @Test mutating func `who only reads hears nothing of what others received`() throws {
        _ = meetCarol()
        _ = handle(.changed(group))
        let sent = sent(handle(.tick, after: .seconds(1)))
        #expect(sent.map(\.peer) == [fromAlice])
        #expect(sent.first?.absent == [])
    }

    @Test mutating func `a member keeps the receipt for an author who is away`() throws {
        let carol = meetCarol()
        _ = handle(.lost(fromAlice))
        _ = handle(.changed(group))
        let sent = sent(handle(.tick, after: .seconds(1)))
        #expect(sent.map(\.peer) == [carol])
        #expect(sent.first?.absent == [trio.alice.device.id])
    }

    @Test mutating func `who comes while too few keep a receipt keeps it, too, but not for themselves`() throws {
        _ = handle(.lost(fromAlice))
        _ = handle(.changed(group))
        #expect(sent(handle(.tick, after: .seconds(1))).isEmpty)
        let carol = trio.connect(Self.bob, to: 2)
        #expect(sent(handle(.shared(carol, group), after: .seconds(2))).isEmpty, "Alice may come at the same time")
        let sent = sent(handle(.tick, after: .seconds(2) + ReceiptComparison.grace))
        #expect(sent.map(\.peer) == [carol])
        #expect(sent.first?.absent == [trio.alice.device.id])
    }

    @Test mutating func `what was kept for somebody they get once, when they come`() throws {
        let carol = meetCarol()
        _ = handle(.lost(fromAlice))
        let record = ofCarol(version: 5)
        let author = trio.alice.device.id
        let requests = handle(.heard(.receipts([record.encoded], absent: [author]), of: group, from: carol))
        #expect(handedOn(requests, to: fromAlice).isEmpty)
        let alice = trio.connect(Self.bob, to: Self.alice)
        #expect(handedOn(handle(.shared(alice, group), after: .seconds(60)), to: alice) == [record.encoded])
        #expect(handedOn(handle(.tick, after: .seconds(70)), to: alice).isEmpty)
    }

    @Test mutating func `what is for somebody who is here they get at once, but not often`() throws {
        let carol = meetCarol()
        let author = trio.alice.device.id
        for version in 5...9 as ClosedRange<UInt64> {
            let record = ofCarol(version: version)
            let requests = handle(.heard(.receipts([record.encoded], absent: [author]), of: group, from: carol))
            #expect(handedOn(requests, to: fromAlice) == (version == 5 ? [record.encoded] : []))
        }
        let late = handedOn(handle(.tick, after: ReceiptComparison.grace), to: fromAlice)
        #expect(late == [ofCarol(version: 9).encoded])
    }

    @Test mutating func `the same is handed on once, and nothing to whom it says nothing`() throws {
        let carol = meetCarol()
        let (record, author) = (ofCarol(version: 5), trio.alice.device.id)
        var given: [[UInt8]] = []
        for second in 0..<60 {
            let asked = ReceiptExchange.Event.heard(
                .receipts([record.encoded], absent: [author]), of: group, from: carol)
            given += handedOn(handle(asked, after: .seconds(second)), to: fromAlice)
            given += handedOn(handle(.tick, after: .seconds(second)), to: fromAlice)
        }
        given += handedOn(handle(.tick, after: .seconds(65)), to: fromAlice)
        #expect(given == [record.encoded])
        let silent = ReceiptRecord(
            by: trio.carol.keys.author, in: group, version: 6, time: Trio.moment.wall, marks: [:])
        let asked = ReceiptExchange.Event.heard(.receipts([silent.encoded], absent: [author]), of: group, from: carol)
        #expect(handedOn(handle(asked, after: .seconds(70)), to: fromAlice).isEmpty)
        #expect(handedOn(handle(.tick, after: .seconds(80)), to: fromAlice).isEmpty)
    }

    @Test mutating func `who says something old is given their later receipt once, however often they say it`() {
        let (old, new) = (ofAlice(version: 5), ofAlice(version: 6))
        _ = handle(.heard(.receipts([new.encoded], absent: []), of: group, from: fromAlice))
        let again = [[UInt8]](repeating: old.encoded, count: 100)
        let requests = handle(.heard(.receipts(again, absent: []), of: group, from: fromAlice), after: .seconds(1))
        #expect(handedOn(requests, to: fromAlice) == [new.encoded])
        let atOnce = handle(.heard(.receipts(again, absent: []), of: group, from: fromAlice), after: .seconds(2))
        #expect(handedOn(atOnce, to: fromAlice).isEmpty)
    }

    @Test func `a pause for many ends with the next thing that is stored`() {
        var plan = ReceiptPlan()
        plan.begin(at: Instant(sinceStart: .zero))
        plan.noteSent(to: 120)
        #expect(plan.plan(at: Instant(sinceStart: .seconds(1))) == Instant(sinceStart: .seconds(30)))
        plan.begin(at: Instant(sinceStart: .seconds(30)))
        #expect(plan.plan(at: Instant(sinceStart: .seconds(31))) == Instant(sinceStart: .seconds(32)))
    }

    @Test mutating func `a difference that stays is asked about ever more rarely`() throws {
        _ = handle(.heard(.receipts([ofAlice(version: 5).encoded], absent: []), of: group, from: fromAlice))
        let digest = ReceiptDigest(of: .hash("moot/1/test", [9]), transcript: Trio.transcript)
        var questions = 0
        _ = handle(.heard(.digest(digest), of: group, from: fromAlice))
        for second in 1...300 {
            let requests = handle(.tick, after: .seconds(second))
            questions += requests.events.count {
                if case .saying(.receipts(.versions), _, _, _, _) = $0 { true } else { false }
            }
        }
        #expect((1...14).contains(questions))
    }

    @Test mutating func `equal marks are no difference`() throws {
        let told = { (requests: [MachineRequest]) in
            requests.events.compactMap { event -> ReceiptDigest? in
                guard case .saying(.receipts(.digest(let digest)), _, _, _, _) = event else { return nil }
                return digest
            }
        }
        _ = handle(.heard(.receipts([ofAlice(version: 5).encoded], absent: []), of: group, from: fromAlice))
        let first = try #require(told(handle(.tick, after: .seconds(40))).last)
        _ = handle(
            .heard(.receipts([ofAlice(version: 6).encoded], absent: []), of: group, from: fromAlice),
            after: .seconds(41))
        #expect(told(handle(.tick, after: .seconds(100))).allSatisfy { $0 == first })
        _ = handle(.heard(.digest(first), of: group, from: fromAlice), after: .seconds(101))
        let asked = handle(.tick, after: .seconds(200)).events.contains {
            if case .saying(.receipts(.versions), _, _, _, _) = $0 { true } else { false }
        }
        #expect(!asked)
    }

    @Test func `carriers are others for each author, and the same for every reader`() {
        var random = SeededRandom(seed: 5)
        let members = (1...20).map { _ in Person(using: &random).author.device }
        let chosen = members.map { CarriedReceipts.carriers(for: $0.id, among: members, device: \.self) }
        #expect(chosen.allSatisfy { $0.count == CarriedReceipts.carrierCount })
        #expect(Set(chosen).count > 10)
        #expect(CarriedReceipts.carriers(for: members[0].id, among: members.reversed(), device: \.self) == chosen[0])
    }

    @Test func `carriers are three people, however many devices one of them has`() {
        var random = SeededRandom(seed: 6)
        let (author, honest) = (Person(using: &random), (0..<3).map { _ in Person(using: &random).author.device })
        let mallory = Person(using: &random)
        let many = (0..<200).map { _ in
            Device(user: mallory.user, key: SigningKey.generate(using: &random).verifyingKey)
        }
        let chosen = CarriedReceipts.carriers(
            for: author.author.device.id, among: many + honest, device: \.self)
        #expect(Set(chosen.map(\.user)).count == CarriedReceipts.carrierCount)
        var carried = CarriedReceipts()
        carried.note(carriers: [mallory.user], for: author.author.device.id)
        carried.note(carriers: [mallory.user], for: author.author.device.id)
        #expect(carried.uncarried[author.author.device.id] == [mallory.user], "two more are to carry it")
    }

    @Test func `what was sent is looked for in turn by person, whatever devices they have`() {
        var random = SeededRandom(seed: 7)
        let (mallory, carol) = (Person(using: &random).user, Person(using: &random).user)
        var peers: [PeerHandle: UserID] = [:]
        for number in 1...8 as ClosedRange<UInt64> { peers[PeerHandle(rawValue: number)] = mallory }
        let toCarol = PeerHandle(rawValue: 9)
        peers[toCarol] = carol
        var plan = ReceiptPlan()
        let now = Instant(sinceStart: .zero)
        let chosen = (0..<4).map { _ in plan.nextToCheck(among: peers, at: now) }
        #expect(chosen.count { $0 == toCarol } == 2)
        #expect(Set(chosen).count == 3, "and Mallory's devices one after the other")
    }

    @Test func `what is kept for others is bounded`() {
        var carried = CarriedReceipts()
        let device = { (number: Int) in
            DeviceID(digest: .hash("moot/1/test", [UInt8(number >> 8), UInt8(number & 255)]))
        }
        for reader in 0..<CarriedReceipts.maximumPairs { carried.carry(receiptOf: device(reader), to: device(0)) }
        carried.carry(receiptOf: device(1), to: device(1))
        #expect(carried.deliver(to: device(1)).isEmpty)
        carried.keep(for: [device(1)])
        carried.carry(receiptOf: device(1), to: device(1))
        #expect(carried.deliver(to: device(1)) == [device(1)])
        #expect(carried.deliver(to: device(0)).isEmpty)
    }

    @Test mutating func `whoever asks gets what is newer than what they name`() throws {
        let record = ofAlice(version: 5)
        _ = handle(.heard(.receipts([record.encoded], absent: []), of: group, from: fromAlice))
        let found = { (requests: [MachineRequest]) in
            requests.events.flatMap { event -> [[UInt8]] in
                guard case .saying(.receipts(.receipts(let part, _)), _, _, _, .bulk) = event else { return [] }
                return part
            }
        }
        #expect(found(handle(.heard(.versions([]), of: group, from: fromAlice))) == [record.encoded])
        #expect(found(handle(.heard(.versions([record.receiptVersion]), of: group, from: fromAlice))).isEmpty)
    }
}
