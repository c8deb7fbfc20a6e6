import Conversations
import Membership
import OperationLog
import Testing

@testable import NodeCore
@testable import Simulation

/// Bob says the same of a message of Alice's over and over. What the others read for each word about it must not grow
/// with that.
@Suite("Much that one person says about one message")
struct CountingAnnotationsTests {
    private static let (alice, bob) = (0, 1)
    private static let limit = MessageState.maximumOfPerson
    private var trio: Trio
    private let group: ConversationID
    private let message: Operation

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        let content = trio.disks[Self.alice].image.operations(of: group, lane: .content)
        message = try #require(content.first { $0.header.type == .message })
        self.trio = trio
    }

    /// Bob gives 🎉 with the word of this number, and gives or takes back 👍 with each other one; what is seen then.
    private mutating func seen(by core: Int, after words: Int, party: Int) throws -> Set<String> {
        for word in 1...words {
            let (emoji, isPresent) = word == party ? ("🎉", true) : ("👍", try !isGiven())
            try trio.cores[Self.bob].react(
                to: message.id, of: group, with: emoji, isPresent: isPresent, at: Trio.moment)
        }
        if core != Self.bob { trio.deliver(group, from: Self.bob, to: core) }
        return Set(try state(at: core)?.reactions.map(\.emoji) ?? [])
    }

    /// What a node makes of the message.
    private mutating func state(at core: Int) throws -> MessageState? {
        try trio.cores[core].open([message], in: group)[message.id]?.state
    }

    /// Whether Bob's 👍 is seen at his node.
    private mutating func isGiven() throws -> Bool {
        try trio.cores[Self.bob].open([message], in: group)[message.id]?.state.reactions.contains { $0.emoji == "👍" }
            ?? false
    }

    @Test(arguments: [alice, bob]) mutating func `all of it counts as long as it is no more than the limit`(
        core: Int
    ) throws {
        #expect(try seen(by: core, after: Self.limit, party: 1) == ["🎉", "👍"])
    }

    @Test(arguments: [alice, bob]) mutating func `of more the last ones count`(core: Int) throws {
        #expect(try seen(by: core, after: Self.limit + 2, party: 1) == ["👍"])
        #expect(try seen(by: core, after: 1, party: 1) == ["🎉", "👍"])
    }

    @Test mutating func `what others say stands beside it`() throws {
        _ = try seen(by: Self.alice, after: Self.limit + 2, party: 1)
        try trio.cores[Self.alice].react(to: message.id, of: group, with: "🌊", isPresent: true, at: Trio.moment)
        #expect(try state(at: Self.alice)?.reactions.map(\.emoji).contains("🌊") == true)
        try trio.cores[Self.alice].delete(message.id, of: group, at: Trio.moment)
        #expect(try state(at: Self.alice)?.isDeleted == true)
    }

    @Test mutating func `what does not count takes the place of nothing`() throws {
        try trio.cores[Self.alice].setRole(of: trio.bob.me, in: group, to: .moderator, at: Trio.moment)
        trio.deliver(group, to: Self.bob)
        try trio.cores[Self.bob].pin(message.id, of: group, isPinned: true, at: Trio.moment)
        trio.deliver(group, from: Self.bob, to: Self.alice)
        try trio.cores[Self.alice].setRole(of: trio.bob.me, in: group, to: .member, at: Trio.moment)
        trio.deliver(group, to: Self.bob)
        // He goes on as if nothing had happened, with a program of his own.
        let body = try #require(AnnotationBody(of: message.id, .pin(isPinned: false)))
        let unpinning = Array(repeating: (type: OperationType.pin, plaintext: body.encoded), count: 2 * Self.limit + 2)
        _ = try trio.cores[Self.bob].write(closed: unpinning, in: group)
        trio.deliver(group, from: Self.bob, to: Self.alice)
        for core in [Self.alice, Self.bob] { #expect(try state(at: core)?.pinnedBy == trio.bob.me) }
        let all = trio.disks[Self.alice].image.operations(of: group, lane: .content).filter { $0.header.type == .pin }
        let counting = try all.filter { try trio.cores[Self.alice].target(ofCounting: $0, in: group) != nil }
        #expect(all.count == 2 * Self.limit + 3 && counting.count == 1, "of the others nothing is to be told")
    }

    @Test mutating func `an edit that its author took back does not count, even where its text is here`() throws {
        try trio.cores[Self.alice].edit(message.id, of: group, to: "Farewell", at: Trio.moment)
        trio.deliver(group, to: Self.bob)
        let edit = try #require(
            trio.disks[Self.alice].image.operations(of: group, lane: .content).last { $0.header.type == .edit })
        guard case .text("Farewell", _, _)? = try state(at: Self.bob)?.content else {
            return #expect(Bool(false), "it is not edited")
        }
        let body = try #require(AnnotationBody(of: edit.id, .delete))
        _ = try trio.cores[Self.alice].write(closed: [(.delete, body.encoded)], in: group)
        trio.deliver(group, to: Self.bob)
        for core in [Self.alice, Self.bob] {
            guard case .text("Welcome", _, nil)? = try state(at: core)?.content else {
                return #expect(Bool(false), "it is edited")
            }
        }
    }
}
