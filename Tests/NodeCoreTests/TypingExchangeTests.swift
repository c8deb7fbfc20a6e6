import Conversations
import OperationLog
import Replication
import Testing
import Time

@testable import NodeCore
@testable import Simulation

/// Alice writes in a group, and Bob's node hears of it.
@Suite("The machine for typing")
struct TypingExchangeTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var typing = TypingExchange()
    private var trio: Trio
    private let group: ConversationID
    private let (fromAlice, fromCarol): (PeerHandle, PeerHandle)

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        fromAlice = trio.connect(Self.bob, to: Self.alice)
        fromCarol = trio.connect(Self.bob, to: Self.carol)
        self.trio = trio
    }

    /// What Alice's node says when they write to some positions of the view.
    private func signal(after duration: Duration = .zero, reaching places: [Int] = [0, 1, 2]) throws -> [UInt8] {
        var alice = trio.alice
        alice.moment = Trio.after(duration)
        let heads = try #require(alice.replicas[group]).log.membership.heads
        let found = alice.replicas[group]?.view(at: heads)
        let view = try #require(found)
        let epoch = try #require(alice.replicas[group]?.epochs.usable(for: view.id))
        var machine = TypingExchange()
        let requests = machine.tell(
            places.map { TypingExchange.Recipient(peer: PeerHandle(rawValue: UInt64($0)), place: $0) }, in: group,
            epoch: epoch.id, key: epoch.key, nonce: Array(repeating: 3, count: 24), alice.context)
        guard case .saying(.typing(let bytes), of: _, lane: _, to: _, _)? = requests.events.first else {
            throw Unsaid()
        }
        return bytes
    }

    private struct Unsaid: Error {}

    private mutating func hear(
        _ bytes: [UInt8], from peer: PeerHandle, after duration: Duration = .zero
    ) -> [MachineRequest] {
        var context = trio.bob.context
        context.moment = Trio.after(duration)
        return typing.handle(.heard(bytes, in: group, from: peer, hearers: [fromAlice, fromCarol]), in: context)
    }

    @Test mutating func `whoever writes is shown, and shown no more after three seconds`() throws {
        #expect(try hear(signal(), from: fromAlice).news.count == 1)
        #expect(typing.typingIndicators.people(in: group, at: .zero) == [trio.alice.me])
        #expect(typing.nextDeadline == Trio.moment.monotonic + TypingIndicators.lifetime)
        var context = trio.bob.context
        context.moment = Trio.after(TypingIndicators.lifetime)
        #expect(typing.handle(.tick, in: context).news.count == 1)
        #expect(typing.typingIndicators.people(in: group, at: TypingIndicators.lifetime).isEmpty)
    }

    @Test mutating func `a message ends the writing of its author`() throws {
        _ = try hear(signal(), from: fromAlice)
        let sent = try trio.cores[Self.alice].send(["done"], to: group, at: Trio.moment)
        try trio.deliver(group)
        let requests = typing.handle(.committed(sent, in: group), in: trio.bob.context)
        #expect(requests.news.count == 1)
        #expect(typing.typingIndicators.people(in: group, at: .zero).isEmpty)
    }

    @Test mutating func `what its author says is passed on to those whom the author cannot reach, once`() throws {
        let place = try #require(
            trio.bob.replicas[group]?.group.members.map(\.user).sorted().firstIndex(of: trio.bob.me))
        let bytes = try signal(reaching: [place])
        let passed = hear(bytes, from: fromAlice).events.compactMap { event -> [PeerHandle]? in
            guard case .saying(.typing(bytes), of: group, lane: _, to: let peers, _) = event else { return nil }
            return peers
        }
        #expect(passed.flatMap { $0 }.contains(fromCarol))
        let second = try signal(after: .seconds(2), reaching: [place])
        let fromSomebodyElse = hear(second, from: fromCarol, after: .seconds(2))
        #expect(fromSomebodyElse.events.isEmpty)
        #expect(typing.typingIndicators.people(in: group, at: .seconds(2)) == [trio.alice.me])
    }

    @Test mutating func `a forged signal turns its sender away`() throws {
        var bytes = try signal()
        bytes[bytes.count - 1] ^= 1
        #expect(hear(bytes, from: fromCarol).offends(fromCarol))
        #expect(typing.typingIndicators.people(in: group, at: .zero).isEmpty)
    }

    @Test mutating func `nothing is heard in a conversation that is not here`() throws {
        let bytes = try signal()
        let elsewhere = ConversationID(directBetween: trio.bob.me, and: trio.carol.me)
        let requests = typing.handle(
            .heard(bytes, in: elsewhere, from: fromAlice, hearers: []), in: trio.bob.context)
        #expect(requests.isEmpty)
    }
}
