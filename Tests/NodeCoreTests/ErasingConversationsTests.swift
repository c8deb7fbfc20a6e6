import Conversations
import OperationLog
import Replication
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Bob leaves the group of Alice, Bob and Carol, and erases it.
@Suite("Erasing conversations")
struct ErasingConversationsTests {
    private var trio: Trio
    private let group: ConversationID

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        self.trio = trio
    }

    private var disk: DiskImage { trio.disks[1].image }
    private var bodies: [Operation] {
        disk.operations(of: group, lane: .content).filter { $0.header.type.isClosed && $0.body != nil }
    }
    private var replica: Replica { get throws { try #require(trio.bob.replicas[group]) } }

    /// Bob leaves after he has kept a draft and read everything.
    private mutating func leave() throws {
        var draft = ConversationPreferencesUpdate()
        draft.draft = "Half a sentence"
        try trio.cores[1].change(draft, of: group, at: Trio.moment)
        try trio.cores[1].markRead(group, at: Trio.moment)
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(5)))
        try trio.cores[1].leave(group, at: Trio.after(.seconds(6)))
    }

    private mutating func erase(after duration: Duration = .seconds(7)) throws(NodeError) {
        try trio.cores[1].erase(group, at: Trio.after(duration))
    }

    private mutating func refusal() -> NodeError? {
        do throws(NodeError) {
            try erase()
            return nil
        } catch {
            return error
        }
    }

    /// Alice takes in what Bob holds.
    private mutating func hearBob() {
        for lane in Lane.allCases {
            trio.cores[0].admit(
                Batch(lane: lane, operations: disk.operations(of: group, lane: lane)).encoded, to: group, lane: lane,
                from: PeerHandle(rawValue: 1_000))
        }
    }

    @Test mutating func `takes every body, every key and what the user kept, and leaves what a chain needs`() throws {
        try leave()
        #expect(!bodies.isEmpty && disk.preferences[group] != nil)
        let kept = try #require(disk.conversations[group])
        #expect(!kept.epochKeys.isEmpty && !kept.readMarks.isEmpty && !kept.receipts.isEmpty)
        let before = try replica.digest

        try erase()
        #expect(disk.preferences[group] == nil && trio.bob.preferences(of: group).draft == nil)
        #expect(trio.bob.receipts[group]?.kept.isEmpty == true)
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(8)))
        #expect(bodies.isEmpty)
        let left = try #require(disk.conversations[group])
        #expect(left.epochKeys.isEmpty && left.readMarks.isEmpty && left.receipts.isEmpty)
        #expect(try replica.digest == before, "both lanes are what they were")
        #expect(try trio.bob.isHidden(replica))
    }

    @Test mutating func `goes on after the next start where it was cut off`() throws {
        try leave()
        try erase()
        #expect(!bodies.isEmpty, "nothing was swept yet")
        var retention = Retention()
        trio.cores[1].context.familiarity.erased = []
        try retention.restore(in: &trio.cores[1].context)
        #expect(try trio.bob.isHidden(replica))
        trio.cores[1].moment = Trio.after(.seconds(30))
        let requests = retention.handle(.tick, in: &trio.cores[1].context)
        #expect(!requests.isEmpty && bodies.isEmpty)
    }

    @Test mutating func `is refused to members, to whom is asked back, and of direct conversations`() throws {
        #expect(refusal()?.hint == "First: moot leave \(group.description.prefix(16))")
        let direct = try trio.cores[1].openDirect(with: trio.alice.me, at: Trio.moment)
        #expect(throws: NodeError.self) { try trio.cores[1].erase(direct, at: Trio.moment) }
        try leave()
        hearBob()
        try trio.cores[0].invite(trio.bob.me, to: group, at: Trio.after(.seconds(7)))
        trio.deliver(group, to: 1)
        #expect(refusal()?.hint == "First: moot decline \(group.description.prefix(16))")
        #expect(!bodies.isEmpty)
    }

    @Test mutating func `ends when the user is asked back or brought back, and nothing is numbered twice`() throws {
        _ = try trio.cores[1].send(["Bob was here"], to: group, at: Trio.moment)
        try leave()
        try erase()
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(8)))
        hearBob()
        try trio.cores[0].invite(trio.bob.me, to: group, at: Trio.after(.seconds(9)))
        trio.deliver(group, to: 1)
        #expect(try !trio.bob.isHidden(replica), "the invite is seen")
        try trio.cores[1].declineInvite(to: group, at: Trio.after(.seconds(10)))
        #expect(try trio.bob.isHidden(replica))

        hearBob()
        try trio.cores[0].add([trio.bob.me], to: group, at: Trio.after(.seconds(11)))
        let welcome = try trio.cores[0].send(["Welcome back"], to: group, at: Trio.after(.seconds(12)))
        trio.deliver(group, to: 1)
        let opened = try trio.cores[1].open(welcome.map(\.operation), in: group)
        #expect(opened.values.map(\.state.content) == [.text("Welcome back", mentions: [], editedAt: nil)])
        #expect(welcome.count == 1, "under the key of before: they are the same people again")
        #expect(disk.conversations[group]?.epochKeys.isEmpty == false)
        #expect(try !trio.bob.isHidden(replica))
        #expect(try trio.disks[1].retentions().isEmpty)
        let again = try trio.cores[1].send(["Here again"], to: group, at: Trio.after(.seconds(13)))
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(4_000)))
        #expect(bodies.count == 2, "what was written since is kept")
        hearBob()
        let chain = try #require(trio.alice.replicas[group]?.log.contentFrontier.tips[trio.bob.device.id])
        #expect(chain.count == 1 && chain.last?.id == again.last?.operation.id)
    }

    @Test mutating func `takes what comes late at once`() throws {
        try leave()
        let late = try trio.cores[2].send(["Late"], to: group, at: Trio.after(.seconds(5)))
        try erase()
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(8)))
        trio.cores[1].admit(
            Batch(lane: .content, operations: trio.disks[2].image.operations(of: group, lane: .content)).encoded,
            to: group, lane: .content, from: PeerHandle(rawValue: 1_000))
        #expect(bodies.map(\.id) == late.map(\.operation).filter { $0.header.type == .message }.map(\.id))
        trio.cores[1].handle(.tick, at: Trio.after(.seconds(9)))
        #expect(bodies.isEmpty)
    }

    @Test mutating func `is not undone by a time to keep it for that is chosen while the user is asked back`() throws {
        try leave()
        try erase()
        hearBob()
        try trio.cores[0].invite(trio.bob.me, to: group, at: Trio.after(.seconds(9)))
        trio.deliver(group, to: 1)
        var refused: NodeError.Code?
        do throws(NodeError) {
            try trio.cores[1].keep(group, days: 30, at: Trio.after(.seconds(10)))
        } catch {
            refused = error.code
        }
        #expect(refused == .notAccepted)
        #expect(try trio.disks[1].retentions() == [group: .nothing])
    }

    @Test mutating func `changes nothing where the disk is full`() throws {
        try leave()
        trio.disks[1].condition = .full
        #expect(refusal()?.code == .diskFull)
        trio.disks[1].condition = .healthy
        #expect(try !trio.bob.isHidden(replica))
        #expect(trio.bob.preferences(of: group).draft == "Half a sentence")
    }
}
