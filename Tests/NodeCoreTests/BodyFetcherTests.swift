import OperationLog
import Testing

@testable import NodeCore
@testable import Replication

/// Bob's node lacks the body of a message by Alice, and asks for it.
@Suite("The machine for missing bodies")
struct BodyFetcherTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var fetcher = BodyFetcher()
    private var trio: Trio
    private let group: ConversationID
    private let message: AdmittedOperation
    private let (fromAlice, fromCarol): (PeerHandle, PeerHandle)

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
    }

    private mutating func handle(_ event: BodyFetcher.Event, after duration: Duration = .zero) -> [MachineRequest] {
        trio.cores[Self.bob].moment = Trio.after(duration)
        return fetcher.handle(event, in: &trio.cores[Self.bob].context)
    }

    /// Who is asked for what.
    private func asked(_ requests: [MachineRequest]) -> [PeerHandle] {
        requests.events.compactMap { event in
            guard case .bodiesWanted(let peer, group, [message.operation.id]) = event else { return nil }
            return peer
        }
    }

    private func answer(_ wanted: [AdmittedOperation], by index: Int) -> BodyFetcher.Event {
        .answered(wanted.map(\.operation.id), wanted: wanted, by: trio.cores[index].device.id, in: group)
    }

    @Test mutating func `one member is asked, and nobody else until an answer is due`() {
        #expect(asked(handle(.changed(group))) == [fromAlice])
        #expect(handle(.tick, after: .seconds(1)).isEmpty)
        #expect(asked(handle(.tick, after: .seconds(2))) == [fromCarol])
    }

    @Test mutating func `who did not have it is remembered, and the next is asked`() {
        _ = handle(.changed(group))
        #expect(handle(answer([], by: Self.alice)).isEmpty)
        #expect(fetcher.denials(of: message.operation.id, in: group) == [trio.alice.device.id])
        #expect(asked(handle(.tick, after: .seconds(1))) == [fromCarol])
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
            _ = handle(answer([], by: peer == fromAlice ? Self.alice : Self.carol), after: now)
            var wait = Duration.zero
            peer = nil
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

    @Test mutating func `nothing is asked where nothing is wanted any more`() {
        _ = handle(.changed(group))
        trio.cores[Self.bob].replicas[group]?.wanted = []
        #expect(handle(.changed(group), after: .seconds(5)).isEmpty)
        #expect(handle(.tick, after: .seconds(60)).isEmpty)
    }
}
