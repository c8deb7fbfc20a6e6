import Conversations
import OperationLog
import OperationLogFixtures
import Storage
import Testing
import Time

@testable import NodeCore
@testable import Replication

@Suite("Clocks that are wrong")
struct ClockStories {
    private var fixture: StrangerGroupFixture
    private let now = StrangerGroupFixture.moment.wall.milliseconds

    init() throws {
        fixture = try StrangerGroupFixture()
        try fixture.addAlice()
    }

    private func time(_ hours: Int64) -> Timestamp { Timestamp(clamping: now + hours * 3_600_000) }

    private mutating func hear(
        _ hours: Int64, from person: Person, over peer: PeerHandle? = nil, isAnswer: Bool = false
    ) throws {
        let written = try fixture.write(
            content: [.init(type: .message, body: [1])], by: person, at: time(hours))
        if let peer {
            fixture.tell(content: written, from: peer, isAnswer: isAnswer)
        } else {
            fixture.tell(content: written)
        }
    }

    @Test mutating func `a message from tomorrow moves a conversation to where it came, and no further`() throws {
        try hear(20, from: fixture.bob)
        #expect(try fixture.replica.lastActivity == now)
        #expect(try fixture.replica.log.contentHeads.first?.hybridTime == now + 20 * 3_600_000)
        // A minute later somebody answers, who is ordered after tomorrow as well.
        let later = Moment(
            monotonic: StrangerGroupFixture.moment.monotonic + Duration.seconds(60),
            wall: Timestamp(clamping: now + 60_000))
        fixture.alice.handle(.tick, at: later)
        try hear(0, from: fixture.carol)
        #expect(try fixture.replica.lastActivity == now + 60_000)
    }

    @Test mutating func `a message that was long on its way counts from when it was written`() throws {
        try hear(-5, from: fixture.bob)
        let before = try fixture.replica.group.lastChange
        #expect(try fixture.replica.log.contentHeads.first?.hybridTime == now - 5 * 3_600_000)
        #expect(try fixture.replica.lastActivity == min(before, now))
    }

    @Test mutating func `a name from tomorrow does no more`() throws {
        try fixture.decide(fixture.bob, at: time(30)) { .set(under: $0, field: Group.nameField, value: "Tomorrow") }
        fixture.tell()
        #expect(try fixture.replica.group.lastChange == now + 30 * 3_600_000)
        #expect(try fixture.replica.lastActivity == now)
    }

    @Test mutating func `a start finds the same`() throws {
        try hear(20, from: fixture.bob)
        try fixture.decide(fixture.bob, at: time(30)) { .set(under: $0, field: Group.nameField, value: "Tomorrow") }
        fixture.tell()
        let held = try fixture.replica
        let rebuilt = try NodeCore.restore(
            ConversationRecord(id: held.id, root: held.log.root), from: fixture.alice.storage)
        #expect(rebuilt.lastActivity == held.lastActivity)
    }

    @Test(arguments: [3, -3] as [Int64])
    mutating func `whoever pushes what they write from another hour is named, until their clock is set`(hours: Int64)
        throws
    {
        let peer = fixture.connect(to: fixture.bob)
        try hear(hours, from: fixture.bob, over: peer)
        #expect(fixture.alice.clockSkews[fixture.bob.device]?.ahead == hours * 3_600_000)
        try hear(0, from: fixture.bob, over: peer)
        #expect(fixture.alice.clockSkews.isEmpty)
    }

    @Test mutating func `what was asked for, and what others wrote, says nothing about a clock`() throws {
        let peer = fixture.connect(to: fixture.bob)
        try hear(-3, from: fixture.bob, over: peer, isAnswer: true)
        try hear(5, from: fixture.carol, over: peer)
        #expect(fixture.alice.clockSkews.isEmpty)
    }
}
