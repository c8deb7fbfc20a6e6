import Conversations
import OperationLog
import Testing

@testable import NodeCore
@testable import Simulation

/// Bob says the same of a message of Alice's over and over. What the others read for each word about it must not grow with that.
@Suite("Much that one device says about one message")
struct CountingAnnotationsTests {
    private static let (alice, bob) = (0, 1)
    private static let limit = MessageState.maximumFromEachEnd
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

    /// Bob gives 🎉 with the word of this number, and gives or takes back 👍 with each other one; how many are read then, and what is seen.
    private mutating func seen(by core: Int, with words: Int, party: Int) throws -> (read: Int, emoji: Set<String>) {
        for word in 1...words {
            let (emoji, isPresent) = word == party ? ("🎉", true) : ("👍", try !isGiven())
            try trio.cores[Self.bob].react(
                to: message.id, of: group, with: emoji, isPresent: isPresent, at: Trio.moment)
        }
        if core != Self.bob { trio.deliver(group, from: Self.bob, to: core) }
        let read = try trio.disks[core].annotations(of: [message.id], in: group, fromEachEnd: Self.limit)
        let opened = try trio.cores[core].open([message], in: group)
        return (read[message.id]?.count ?? 0, Set(opened[message.id]?.state.reactions.map(\.emoji) ?? []))
    }

    /// Whether Bob's 👍 is seen at his node.
    private mutating func isGiven() throws -> Bool {
        try trio.cores[Self.bob].open([message], in: group)[message.id]?.state.reactions.contains { $0.emoji == "👍" }
            ?? false
    }

    @Test(arguments: [alice, bob]) mutating func `all of it counts as long as it is no more than twice the limit`(
        core: Int
    ) throws {
        let seen = try seen(by: core, with: 2 * Self.limit, party: Self.limit + 1)
        #expect(seen.read == 2 * Self.limit && seen.emoji == ["🎉", "👍"])
    }

    @Test(arguments: [alice, bob]) mutating func `of more the middle does not count`(core: Int) throws {
        let seen = try seen(by: core, with: 2 * Self.limit + 2, party: Self.limit + 1)
        #expect(seen.read == 2 * Self.limit && seen.emoji == ["👍"])
    }

    @Test(arguments: [1, limit, limit + 3, 2 * limit + 2])
    mutating func `of more the first and the last do`(party: Int) throws {
        let seen = try seen(by: Self.alice, with: 2 * Self.limit + 2, party: party)
        #expect(seen.read == 2 * Self.limit && seen.emoji.contains("🎉"))
    }

    @Test mutating func `what others say stands beside it`() throws {
        _ = try seen(by: Self.alice, with: 2 * Self.limit + 2, party: 1)
        try trio.cores[Self.alice].react(to: message.id, of: group, with: "🌊", isPresent: true, at: Trio.moment)
        let opened = try trio.cores[Self.alice].open([message], in: group)
        #expect(opened[message.id]?.state.reactions.map(\.emoji).contains("🌊") == true)
        try trio.cores[Self.alice].delete(message.id, of: group, at: Trio.moment)
        #expect(try trio.cores[Self.alice].open([message], in: group)[message.id]?.state.isDeleted == true)
    }
}
