import Blobs
import Conversations
import Membership
import OperationLog
import Storage
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
        try retention.restore(in: &trio.cores[0].context)
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
        let changed = handle(.changed(group, .days(7)), after: Self.day * 6)
        #expect(changed.news.count == 1)
        #expect(retention.nextDeadline == Trio.after(Self.day * 6).monotonic)
        #expect(erased(handle(.tick, after: Self.day * 6)).isEmpty)
        #expect(erased(handle(.tick, after: Self.day * 8)).contains(message))
        #expect(
            trio.disks[0].image.operations(of: group, lane: .content).allSatisfy { $0.id != message || $0.body == nil })
    }

    @Test mutating func `it is looked for once an hour`() throws {
        _ = handle(.changed(group, .days(7)), after: .zero)
        _ = handle(.tick, after: .zero)
        #expect(retention.nextDeadline == Trio.after(.seconds(3_600)).monotonic)
        #expect(erased(handle(.tick, after: .seconds(3_599))).isEmpty)
    }

    @Test mutating func `a text that its author deleted goes with the next sweep`() throws {
        let message = try #require(welcome)
        // What nobody has seen is erased at once.
        trio.cores[0].disclose(trio.disks[0].image.operations(of: group, lane: .content), of: group)
        try trio.cores[0].delete(message, of: group, at: Trio.moment)
        _ = handle(.changed(group, nil), after: .zero)
        #expect(erased(handle(.tick, after: .zero)) == [message])
    }

    /// A stored file, ready to be sent.
    private mutating func upload(_ name: String) throws -> CarriedFile {
        var random = SeededRandom(seed: UInt64(name.utf8.first ?? 0))
        var encoder = BlobEncoder(key: .generate(using: &random))
        let chunk = encoder.seal(Array(name.utf8))
        let sealed = try #require(chunk)
        let key = encoder.key
        let (address, tree) = encoder.finish()
        try trio.disks[0].save(BlobChunk(sealed, at: 0, of: address, in: tree))
        trio.cores[0].handle(
            .uploaded(BlobReference(address: address, key: key, mediaType: .unknown)), at: Trio.moment)
        return CarriedFile(name: name, address: address)
    }

    @Test mutating func `a file that was taken out of a message goes from the disk with the next sweep`() throws {
        let (one, two) = (try upload("one"), try upload("two"))
        let sent = try trio.cores[0].send(nil, with: [one, two], to: group, at: Trio.moment)
        let message = try #require(sent.first?.operation.id)
        trio.cores[0].disclose(trio.disks[0].image.operations(of: group, lane: .content), of: group)
        try trio.cores[0].delete(one.address, from: message, of: group, at: Trio.moment)
        let opened = try trio.cores[0].open(sent.map(\.operation), in: group)[message]
        #expect(opened?.state.files.map(\.name) == ["two"])
        guard case .text("two", _, _)? = opened?.state.content else {
            Issue.record("the message names what it does not carry")
            return
        }
        #expect(try trio.disks[0].roots() == [one.address.root, two.address.root])
        _ = handle(.changed(group, nil), after: .zero)
        let swept = erased(handle(.tick, after: .zero))
        #expect(swept.count == 1)
        trio.cores[0].erased(swept, in: group)
        #expect(try trio.disks[0].roots() == [two.address.root])
        // Asked again, it stays out; and what was never there is not found.
        #expect(throws: NodeError.self) {
            try trio.cores[0].delete(one.address, from: message, of: group, at: Trio.moment)
        }
        try trio.cores[0].delete(two.address, from: message, of: group, at: Trio.moment)
        let gone = try trio.cores[0].open(sent.map(\.operation), in: group)[message]
        #expect(gone?.state.isDeleted == true)
    }

    @Test mutating func `a file that nobody has yet is erased at once, and what another message carries stays`() throws
    {
        let (one, two) = (try upload("one"), try upload("two"))
        let sent = try trio.cores[0].send("Look", with: [one, two], to: group, at: Trio.moment)
        _ = try trio.cores[0].send("Again", with: [two], to: group, at: Trio.moment)
        let message = try #require(sent.first?.operation.id)
        for file in [one, two] { try trio.cores[0].delete(file.address, from: message, of: group, at: Trio.moment) }
        #expect(try trio.disks[0].roots() == [two.address.root])
        let state = try trio.cores[0].open(sent.map(\.operation), in: group)[message]?.state
        #expect(state?.files == [] && state?.isDeleted == false)
    }

    @Test mutating func `a file that a moderator took out stays for a day, hidden`() throws {
        let one = try upload("one")
        let sent = try trio.cores[0].send("Look", with: [one], to: group, at: Trio.moment)
        let message = try #require(sent.first?.operation.id)
        try trio.deliver(group)
        // Bob may not; once he is a moderator he may.
        #expect(throws: NodeError.self) {
            try trio.cores[1].delete(one.address, from: message, of: group, at: Trio.moment)
        }
        try trio.cores[0].setRole(of: trio.bob.me, in: group, to: .moderator, at: Trio.moment)
        try trio.deliver(group)
        try trio.cores[1].delete(one.address, from: message, of: group, at: Trio.moment)
        let held = trio.disks[1].image.operations(of: group, lane: .content)
        trio.cores[0].admit(
            Batch(lane: .content, operations: held).encoded, to: group, lane: .content,
            from: PeerHandle(rawValue: 1_000))
        let left = try trio.cores[0].open(sent.map(\.operation), in: group)[message]
        #expect(left?.state.files.isEmpty == true)
        _ = handle(.changed(group, nil), after: .zero)
        #expect(erased(handle(.tick, after: .zero)).isEmpty)
        _ = handle(.changed(group, nil), after: Self.day * 2)
        #expect(erased(handle(.tick, after: Self.day * 2)).count == 1)
    }

    /// Lets Bob, a moderator, take a file out of Alice's message, and Alice hear of it.
    private mutating func takeOut(_ file: CarriedFile, of message: OperationID) throws {
        try trio.cores[1].delete(file.address, from: message, of: group, at: Trio.moment)
        let held = trio.disks[1].image.operations(of: group, lane: .content)
        trio.cores[0].admit(
            Batch(lane: .content, operations: held).encoded, to: group, lane: .content,
            from: PeerHandle(rawValue: 1_000))
    }

    /// What Bob shows of a message of Alice's, after they heard all that Alice holds.
    private mutating func shown(_ message: OperationID) throws -> MessageState {
        let stored = try #require(try trio.disks[1].operation(message, of: group))
        return try #require(try trio.cores[1].open([stored], in: group)[message]?.state)
    }

    @Test
    mutating func
        `what a file was called that a moderator took out is said no more, and its author's node makes that last`()
        throws
    {
        let (one, two) = (try upload("one"), try upload("two"))
        let sent = try trio.cores[0].send(nil, with: [one, two], to: group, at: Trio.moment)
        let message = try #require(sent.first?.operation.id)
        try trio.cores[0].setRole(of: trio.bob.me, in: group, to: .moderator, at: Trio.moment)
        try trio.deliver(group)
        try takeOut(one, of: message)
        let before = try shown(message)
        #expect(before.content == .text("two", mentions: [], editedAt: nil) && before.namesDeletedFiles)
        try trio.deliver(group)
        let after = try shown(message)
        guard case .text("two", _, .some)? = Optional(after.content), !after.namesDeletedFiles else {
            Issue.record("the author's node did not say what is left: \(after.content)")
            return
        }
        _ = handle(.changed(group, nil), after: Self.day * 2)
        #expect(erased(handle(.tick, after: Self.day * 2)).count == 1, "now the name need not be known any more")
        try takeOut(two, of: message)
        #expect(try shown(message).isDeleted)
        try trio.deliver(group)
        #expect(try shown(message).content == .deleted(by: trio.bob.me))
    }

    @Test mutating func `a disk that fails is told of, and the next conversation is swept`() {
        _ = handle(.changed(group, .days(1)), after: Self.day * 3)
        trio.disks[0].condition = .full
        let notices = handle(.tick, after: Self.day * 3).notices
        #expect(notices.contains { if case .notErased = $0 { true } else { false } })
        #expect(retention.nextDeadline == Trio.after(Self.day * 3 + .seconds(3_600)).monotonic)
    }
}
