import Conversations
import OperationLog
import Storage
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node serves Bob's what it lacks, and compares their clocks.
@Suite("The machine for lanes")
struct LaneExchangeTests {
    private static let (alice, bob) = (0, 1)
    private var lanes = LaneExchange()
    private var trio: Trio
    private let group: ConversationID
    private let toBob: PeerHandle

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        toBob = trio.connect(Self.alice, to: Self.bob)
        self.trio = trio
    }

    private func stream(_ lane: Lane) -> LaneExchange.Stream {
        LaneExchange.Stream(peer: toBob, conversation: group, lane: lane)
    }

    /// What a peer holds that holds nothing.
    private var nothing: Replicator.Known {
        let devices = trio.cores.map(\.device.id)
        return Replicator.Known(chains: Dictionary(uniqueKeysWithValues: devices.map { ($0, .through(0)) }))
    }

    private mutating func next(
        _ lane: Lane, beyond known: Replicator.Known? = nil, isRestricted: Bool = false
    ) throws -> [Operation]? {
        try lanes.nextBatch(of: stream(lane), beyond: known, isRestricted: isRestricted, in: trio.alice.context)?
            .operations
    }

    @Test mutating func `a peer gets what it lacks, and then nothing`() throws {
        var served: [Operation] = []
        var batch = try next(.membership, beyond: nothing)
        while let operations = batch {
            served += operations
            batch = try next(.membership)
        }
        #expect(Set(served.map(\.id)) == Set(trio.disks[0].image.operations(of: group, lane: .membership).map(\.id)))
        #expect(try next(.membership) == nil)
    }

    @Test mutating func `what was begun for a member ends when they are none any more`() throws {
        #expect(try next(.membership, beyond: nothing) != nil)
        #expect(try next(.membership, isRestricted: true) == nil)
        #expect(try next(.membership) == nil)
    }

    /// A member with eight devices can make 512 of them wait, and a stranger with made-up people thousands.
    @Test mutating func `batches that wait, each for the one before, are taken on a small stack`() async throws {
        var written: [Operation] = []
        for number in 0..<PendingBatches.maximumBatchesPerDevice {
            let texts = ["message \(number)"]
            written += try trio.cores[Self.alice].send(texts, to: group, at: Trio.moment).map(\.operation)
        }
        let (group, late) = (group, written.dropFirst() + written.prefix(1))
        nonisolated(unsafe) var bob = trio.bob
        await onSmallStack {
            for operation in late {
                bob.admit(
                    Batch(lane: .content, operations: [operation]).encoded, to: group, lane: .content,
                    from: PeerHandle(rawValue: 1_000))
            }
        }
        #expect(bob.replicas[group]?.digest == trio.alice.replicas[group]?.digest)
    }

    @Test mutating func `a connection that is over gets nothing more`() throws {
        for number in 0..<600 { _ = try trio.cores[0].send(["message \(number)"], to: group, at: Trio.moment) }
        #expect(try next(.content, beyond: nothing) != nil)
        lanes.end(toBob)
        #expect(try next(.content) == nil)
    }

    @Test mutating func `a disk that fails ends the answer`() throws {
        trio.disks[0].condition = .broken
        #expect(throws: StoreError.self) { try next(.content, beyond: nothing) }
        trio.disks[0].condition = .healthy
        #expect(try next(.content) == nil)
    }

    /// What is noted when Bob's message comes, written at a time by Bob's clock and read at the first moment.
    private mutating func compare(writtenAfter duration: Duration) throws -> Diagnostic? {
        let written = try trio.cores[Self.bob].send(["hello"], to: group, at: Trio.after(duration))
        return lanes.compareClock(of: written.map(\.operation), from: toBob, in: trio.alice.context)
    }

    @Test mutating func `a clock that is ahead is noted once, and no more when it is right again`() throws {
        guard case .clockDiffers(trio.bob.device.id, let ahead)? = try compare(writtenAfter: .seconds(600)) else {
            Issue.record("a clock that is ten minutes ahead is not noted")
            return
        }
        #expect(ahead == 600_000)
        #expect(try compare(writtenAfter: .seconds(601)) == nil)
        #expect(lanes.clockSkews[trio.bob.device.id]?.ahead == 601_000)
        #expect(try compare(writtenAfter: .seconds(300)) == nil)
        #expect(lanes.clockSkews.isEmpty)
    }
}
