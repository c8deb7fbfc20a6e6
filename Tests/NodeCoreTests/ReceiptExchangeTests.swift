import Conversations
import OperationLog
import Replication
import Storage
import Testing
import Time

@testable import NodeCore
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
        guard case .receiptsHeld(group, _, let new)? = requests.events.first, let bytes = new.first else {
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

    @Test mutating func `what cannot be stored is said to nobody, and tried again`() throws {
        trio.disks[Self.bob].condition = .full
        _ = handle(.changed(group))
        let requests = handle(.tick, after: .seconds(1))
        #expect(requests.events.isEmpty)
        #expect(requests.contains { if case .storageFailed(.diskFull) = $0 { true } else { false } })
        trio.disks[Self.bob].condition = .healthy
        #expect(receipts.nextDeadline == Trio.moment.monotonic + .seconds(1) + ReceiptPlan.storageBackoff)
        #expect(!handle(.tick, after: .seconds(10)).events.isEmpty)
    }

    @Test mutating func `a forged receipt turns its sender away`() throws {
        var bytes = ofAlice(version: 5).encoded
        bytes[bytes.count - 1] ^= 1
        #expect(handle(.received([bytes], of: group, from: fromAlice)).offends(fromAlice))
        #expect(receipts.known[group]?[trio.alice.device.id] == nil)
    }

    @Test mutating func `whoever asks gets what is newer than what they name`() throws {
        let record = ofAlice(version: 5)
        _ = handle(.received([record.encoded], of: group, from: fromAlice))
        let found = { (requests: [MachineRequest]) in
            requests.events.flatMap { event -> [[UInt8]] in
                guard case .receiptsFound(_, _, let part) = event else { return [] }
                return part
            }
        }
        #expect(found(handle(.wanted(of: group, beyond: [], by: fromAlice))) == [record.encoded])
        #expect(found(handle(.wanted(of: group, beyond: [record.receiptVersion], by: fromAlice))).isEmpty)
    }
}
