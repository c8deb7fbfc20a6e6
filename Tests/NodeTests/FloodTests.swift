import Cryptography
import LocalAPIModel
import OperationLog
import Testing
import Waiting

@testable import Node

@Suite("Floods")
struct FloodTests {
    private func conversation(_ number: UInt8) -> ConversationID { ConversationID(digest: .hash("test", [number])) }

    /// A flood, with what it says of operations of some conversations.
    private struct Wave {
        var flood = Flood()

        mutating func tells(_ counts: [(Int, ConversationID)], at milliseconds: Int) -> [Bool] {
            counts.map { flood.tells($0.0, of: $0.1, at: .milliseconds(milliseconds)) }
        }
    }

    @Test func `few operations are told each by itself`() {
        var wave = Wave()
        let told = wave.tells((0..<Flood.room).map { (1, conversation(UInt8($0))) }, at: 10)
        #expect(told.allSatisfy { $0 } && wave.flood.folded.isEmpty)
    }

    @Test func `what is beyond is told once for each conversation, and later as before`() {
        var wave = Wave()
        let (one, other) = (conversation(1), conversation(2))
        let first = wave.tells([(Flood.room, one)], at: 10)
        let beyond = wave.tells((0..<1_000).flatMap { _ in [(1, one), (4_096, other)] }, at: 20)
        // Until it is told, nothing that came after overtakes it.
        let late = wave.tells([(1, one)], at: 200)
        let folded = wave.flood.takeFolded()
        let later = wave.tells([(1, one)], at: 400)
        #expect(first == [true] && !beyond.contains(true) && late == [false] && later == [true])
        #expect(folded == [one, other].sorted())
    }

    @Test func `whoever wants each event and comes back from before a folded one asks for everything`() async {
        var hub = EventHub(startedAt: Clock.now)
        let before = hub.lastID
        _ = hub.watch(since: nil, folding: true) { _ in }
        #expect(hub.isFolding)
        hub.publishFold { NodeEvent(id: $0, type: .conversation, folded: true) }
        let each = hub.watch(since: before) { _ in }
        #expect(!hub.isFolding, "one who wants each event is among them")
        let folding = hub.watch(since: before, folding: true) { _ in }
        hub.finish()
        var told: [NodeEvent.Kind] = []
        for await published in each.events { told.append(published.event.type) }
        #expect(told == [.resync])
        told = []
        for await published in folding.events { told.append(published.event.type) }
        #expect(told == [.conversation])
    }

    @Test func `a flood costs a page a few events`() async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch, peers: await alice.status().listening)
        await eventually("they have met") { await alice.hasMet(1) }
        let direct = try await alice.openDirect(with: "Bob").id
        let events = await alice.subscribe(folding: true).events
        for _ in 0..<8 { _ = try await alice.send(Array(repeating: "Hello", count: 500), to: direct) }
        var count = 0
        var folded = 0
        for await published in events {
            count += 1
            guard published.event.folded == true else { continue }
            folded += 1
            #expect(published.event.conversation == direct)
            if try await alice.messages(in: direct, limit: 4_100).messages.count(where: { $0.kind == .text }) == 4_000 {
                break
            }
        }
        #expect(folded > 0 && count < 4 * Flood.room)
        for node in [alice, bob] { await node.stop() }
    }
}
