import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

@Suite("While messages are coming")
struct FlowTests {
    private static let slot = PeerMessage.LaneSlot(slot: 0, lane: .content)
    private let everybody: [UInt8] = [0xFF]

    private func count(at host: Int, of fixture: ReplicatorFixture) -> Int {
        (fixture.hosts[host].held[.content] ?? []).count
    }

    /// Hosts of which some are connected with all, and are not in the conversation.
    private func group(of members: Int, outsiders: Int = 0) throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture.inSync(hosts: members + outsiders)
        for host in fixture.hosts.indices { try fixture.know(Array(0..<members), at: host) }
        try fixture.run(for: .seconds(5))
        return fixture
    }

    @Test(arguments: [0, 2])
    func `what is on its way to all members is not sent once more to one who compares`(outsiders: Int) throws {
        var fixture = try group(of: 3, outsiders: outsiders)
        let copies = fixture.copies
        // The second has not got what the first has just pushed, and asks the third, who has.
        try fixture.write(1, at: 2)
        try fixture.run(for: .milliseconds(200))
        let written = try fixture.draft(at: 0)
        try fixture.push(written, reached: [0b111], from: 0, to: 2)
        // By now all have been told by a sample what others hold.
        try fixture.run(for: .milliseconds(850))
        #expect(fixture.copies - copies == 3, "two pushes of the third, and one of the first")
        // A second later it is no longer on its way. The first only said that it had written it.
        try fixture.run(for: .seconds(3))
        #expect(fixture.copies - copies == 5)
        #expect(count(at: 1, of: fixture) == 2)
    }

    /// Mallory's message does not reach one who is connected with them no more. The next one, which follows it, comes
    /// there first, and its author takes both for on their way.
    @Test(arguments: 1...24 as ClosedRange<UInt64>)
    func `what follows something that did not come is not forgotten after an answer that left both out`(seed: UInt64)
        throws
    {
        var fixture = try ReplicatorFixture.inSync(hosts: 4, seed: seed)
        let (mallory, writer, other, victim) = (0, 1, 2, 3)
        for host in fixture.hosts.indices { try fixture.write(1, at: host) }
        try fixture.run(for: .seconds(5))
        let kept = try fixture.draft(at: mallory)
        for receiver in [writer, other] {
            try fixture.push(kept, reached: everybody, from: mallory, to: receiver)
        }
        try fixture.disconnect(mallory, victim)
        try fixture.run(for: .milliseconds(400))
        try fixture.write(1, at: writer)
        try fixture.run(for: .milliseconds(1_500))
        #expect(count(at: victim, of: fixture) == fixture.hosts.count + 2)
    }

    @Test func `whoever comes in gets at once what was pushed a moment ago`() throws {
        var fixture = try group(of: 2, outsiders: 1)
        try fixture.write(1, at: 0)
        try fixture.run(for: .milliseconds(100))
        for host in fixture.hosts.indices { try fixture.know([0, 1, 2], at: host) }
        try fixture.run(for: .milliseconds(700))
        #expect(count(at: 2, of: fixture) == 1)
    }

    /// How somebody who always claims to hold more keeps others from being asked.
    enum Lie: CaseIterable {
        /// They answer with nothing when they are about to say it again.
        case nothing
        /// They answer with one message that they have just written.
        case little
        /// They begin with an answer that does not fit, which may be a fork.
        case fork
        /// What they name is of so many chains that they are asked to compare, and not for those.
        case much
    }

    @Test(arguments: Lie.allCases, [true, false])
    func `whoever lies about what they hold takes nobody's turn to bring what is lacking`(lie: Lie, isInFlow: Bool)
        throws
    {
        var fixture = try group(of: 5)
        let (liar, witness, victim, author, writer) = (0, 1, 2, 3, 4)
        if lie == .much {
            for host in fixture.hosts.indices { try fixture.write(1, at: host) }
            try fixture.run(for: .seconds(5))
        }
        // Its author says that it reached everybody, and only one of them got it.
        let kept = try fixture.draft(at: author)
        try fixture.push(kept, reached: everybody, from: author, to: witness)
        for other in [witness, victim, writer] { try fixture.disconnect(author, other) }
        try fixture.disconnect(witness, writer)
        fixture.hosts[liar].isStuck = true
        // It does not reach the witness. Only if it says that it does, its messages count as pushed to everybody.
        if isInFlow { fixture.hosts[writer].reached = everybody }
        if lie == .fork {
            _ = try fixture.draft(at: liar, isLast: true)
            try answer(with: try fixture.draft(at: liar, isLast: true), from: liar, to: victim, in: &fixture)
        }
        for step in 0..<200 {
            if step % 5 == 0 { try fixture.write(1, at: writer) }
            if lie == .little {
                try answer(with: try fixture.draft(at: liar, isLast: true), from: liar, to: victim, in: &fixture)
            }
            try nameMore(from: liar, to: victim, in: &fixture)
            try fixture.run(for: .milliseconds(50))
        }
        let held = Set((fixture.hosts[victim].held[.content] ?? []).map(\.id))
        let lacking = (fixture.hosts[writer].held[.content] ?? []).filter { !held.contains($0.id) }
        #expect(lacking.isEmpty, "messages are coming")
        #expect(kept.operations.allSatisfy { held.contains($0.id) })
    }

    private func answer(with batch: Batch, from sender: Int, to receiver: Int, in fixture: inout ReplicatorFixture)
        throws
    {
        let message = PeerMessage.lane(Self.slot, .batch(isAnswer: true, batch.encoded))
        try fixture.deliver(message.encoded, from: sender, to: receiver)
    }

    /// Ends an answer, and says that more is held.
    private func nameMore(from liar: Int, to victim: Int, in fixture: inout ReplicatorFixture) throws {
        let replicator = fixture.hosts[victim].replicator
        let id = Replicator.LaneID(conversation: fixture.conversation, lane: .content)
        guard let transcript = replicator.peers[ReplicatorFixture.handle(of: liar)]?.transcript,
            let frontier = replicator.lanes[id]?.frontier
        else { return }
        let devices = frontier.devices
        let inflated = PeerMessage.lane(
            Self.slot,
            .frontier(
                isWanted: false, digest: .unlike,
                chainList: LaneDigest(of: Replicator.digest(of: devices), transcript: transcript),
                sequenceNumbers: devices.map { frontier.sequenceNumber(of: $0) + 1 }))
        let nothing = PeerMessage.lane(Self.slot, .done)
        for message in [nothing, inflated] { try fixture.deliver(message.encoded, from: liar, to: victim) }
    }
}

@Suite("Whose turn it is to be asked, and when")
struct TurnsTests {
    private let start = Instant(sinceStart: .seconds(7))
    /// Four people; the last has two devices.
    private let candidates: [Turns.Candidate] = zip([1, 2, 3, 4, 4], 1...5 as ClosedRange<UInt64>).map { user, peer in
        Turns.Candidate(peer: PeerHandle(rawValue: peer), user: UserID(digest: .hash("moot/1/test", [user])))
    }
    private var users: [UserID] { candidates.prefix(4).map(\.user) }

    private func begin(_ index: Int, isOutOfTurn: Bool = false, in turns: inout Turns) {
        turns.begin(with: candidates[index].peer, of: candidates[index].user, isOutOfTurn: isOutOfTurn)
    }

    /// In which order the candidates are asked, by their indices.
    private func order(_ turns: Turns, awaited: [Int] = []) -> [Int] {
        var all = candidates
        for index in awaited { all[index].isAwaited = true }
        return all.shuffled().sorted(by: turns.isBefore).compactMap { all.firstIndex(of: $0) }
    }

    @Test func `one person after the other, and who had one longest ago before the others`() {
        var turns = Turns()
        #expect(order(turns) == [0, 1, 2, 3, 4])
        begin(1, in: &turns)
        #expect(order(turns) == [2, 3, 4, 0, 1])
        begin(3, isOutOfTurn: true, in: &turns)
        #expect(order(turns) == [0, 2, 1, 4, 3], "of a person, the device that was not asked last")
    }

    @Test func `whose push waits is asked before the others, and whose devices did not answer after them`() {
        var turns = Turns()
        begin(2, in: &turns)
        #expect(order(turns, awaited: [2]) == [2, 3, 4, 0, 1])
        begin(3, in: &turns)
        turns.leaveUnanswered()
        #expect(order(turns, awaited: [3, 4]) == [0, 1, 2, 4, 3], "all devices of theirs")
        begin(4, in: &turns)
        turns.noteAnswer()
        #expect(order(turns, awaited: [3, 4]) == [3, 4, 0, 1, 2])
    }

    @Test(arguments: [(0, true, 3), (1, true, 5), (1, false, 9), (9, true, 20), (9, false, 24)])
    func `and everybody within a number of turns, however fast others answer whose pushes wait`(
        silences: Int, isAwaited: Bool, most: Int
    ) {
        var turns = Turns()
        for _ in 0..<max(1, silences) {
            begin(2, in: &turns)
            if silences > 0 { turns.leaveUnanswered() }
        }
        for number in 1...100 {
            guard let next = order(turns, awaited: isAwaited ? [0, 1, 2] : [0, 1]).first(where: { $0 <= 2 }) else {
                return
            }
            if next == 2 {
                #expect(number <= most)
                return
            }
            begin(next, in: &turns)
            turns.noteAnswer()
        }
        Issue.record("never")
    }

    @Test
    func `but after a turn without an answer never somebody who did not answer either, where others are to be asked`() {
        var turns = Turns()
        for index in [0, 1] {
            begin(index, in: &turns)
            turns.leaveUnanswered()
        }
        for _ in 0..<40 {
            begin(2, in: &turns)
            turns.noteAnswer()
        }
        #expect(order(turns, awaited: [2]).first(where: { $0 <= 2 }) == 0, "long enough ago")
        begin(0, in: &turns)
        turns.leaveUnanswered()
        #expect(order(turns, awaited: [2]).first(where: { $0 <= 2 }) == 2)
    }

    @Test func `and out of turn each person only once before somebody else has theirs`() {
        var turns = Turns()
        for index in [0, 4] {
            #expect(!turns.waitsForTurn(candidates[index].user))
            begin(index, isOutOfTurn: true, in: &turns)
        }
        #expect(users.map(turns.waitsForTurn) == [true, false, false, true])
        begin(2, in: &turns)
        #expect(users.map(turns.waitsForTurn) == [false, false, true, false])
        turns.forget(allBut: [:])
        #expect(!users.contains(where: turns.waitsForTurn))
    }

    @Test func `but nobody out of turn who left the last question unanswered`() {
        var turns = Turns()
        begin(1, in: &turns)
        turns.leaveUnanswered()
        begin(2, in: &turns)
        #expect(users.map(turns.waitsForTurn) == [false, true, true, false])
        begin(1, in: &turns)
        turns.noteAnswer()
        begin(2, in: &turns)
        #expect(users.map(turns.waitsForTurn) == [false, false, true, false])
    }

    @Test func `after a while that grows with each answer that brings nothing, and at once after one that does`() {
        var turns = Turns()
        turns.end(hasBrought: false, isInFlow: false, at: start)
        #expect(turns.pausesUntil == nil)
        var pauses: [Duration] = []
        for _ in 0..<12 {
            turns.end(hasBrought: false, isInFlow: true, at: start)
            if let end = turns.pausesUntil { pauses.append(end - start) }
        }
        let expected = [100, 200, 400, 800] + Array(repeating: 1_000, count: 8)
        #expect(pauses == expected.map { .milliseconds($0) })
        turns.end(hasBrought: true, isInFlow: false, at: start)
        #expect(turns.pausesUntil == nil)
        turns.end(hasBrought: false, isInFlow: true, at: start)
        #expect(turns.pausesUntil == start + .milliseconds(100))
    }
}
