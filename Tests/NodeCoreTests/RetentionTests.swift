import Conversations
import OperationLog
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Alice's node erases what need not be here any more.
@Suite("The machine for retention")
struct RetentionTests {
    private var retention = Retention()
    private var trio: Trio
    private let group: ConversationID
    private static let day: Duration = .seconds(24 * 3_600)

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        try retention.restore(in: trio.alice.context)
        self.trio = trio
    }

    private mutating func handle(_ event: Retention.Event, after duration: Duration) -> [MachineRequest] {
        trio.cores[0].moment = Trio.after(duration)
        return retention.handle(event, in: &trio.cores[0].context)
    }

    private func erased(_ requests: [MachineRequest]) -> [OperationID] {
        requests.flatMap { request in
            guard case .erased(let operations, group) = request else { return [OperationID]() }
            return operations
        }
    }

    private var welcome: OperationID? {
        trio.disks[0].image.operations(of: group, lane: .content).first { $0.header.type == .message }?.id
    }

    @Test mutating func `nothing is erased where everything is kept`() {
        #expect(handle(.tick, after: Self.day * 400).isEmpty)
    }

    @Test mutating func `what is older than a conversation is kept goes at once`() throws {
        let message = try #require(welcome)
        let changed = handle(.changed(group, days: 7), after: Self.day * 6)
        #expect(changed.news.count == 1)
        #expect(retention.nextDeadline == Trio.after(Self.day * 6).monotonic)
        #expect(erased(handle(.tick, after: Self.day * 6)).isEmpty)
        #expect(erased(handle(.tick, after: Self.day * 8)).contains(message))
        #expect(
            trio.disks[0].image.operations(of: group, lane: .content).allSatisfy { $0.id != message || $0.body == nil })
    }

    @Test mutating func `it is looked for once an hour`() throws {
        _ = handle(.changed(group, days: 7), after: .zero)
        _ = handle(.tick, after: .zero)
        #expect(retention.nextDeadline == Trio.after(.seconds(3_600)).monotonic)
        #expect(erased(handle(.tick, after: .seconds(3_599))).isEmpty)
    }

    @Test mutating func `a text that its author deleted goes with the next sweep`() throws {
        let message = try #require(welcome)
        // What nobody has seen is erased at once.
        trio.cores[0].disclose(trio.disks[0].image.operations(of: group, lane: .content), of: group)
        try trio.cores[0].delete(message, of: group, at: Trio.moment)
        _ = handle(.changed(group, days: nil), after: .zero)
        #expect(erased(handle(.tick, after: .zero)) == [message])
    }

    @Test mutating func `a disk that fails is told of, and the next conversation is swept`() {
        _ = handle(.changed(group, days: 1), after: Self.day * 3)
        trio.disks[0].condition = .full
        let notices = handle(.tick, after: Self.day * 3).notices
        #expect(notices.contains { if case .notErased = $0 { true } else { false } })
        #expect(retention.nextDeadline == Trio.after(Self.day * 3 + .seconds(3_600)).monotonic)
    }
}
