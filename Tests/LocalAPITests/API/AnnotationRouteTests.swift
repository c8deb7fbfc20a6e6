import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient

@Suite("The local API about what becomes of messages")
struct AnnotationRouteTests {
    @Test func `edits, reacts, pins and deletes, and shows it in every list`() async throws {
        try await Alice.tells { alice in
            let client = alice.client
            let group = try await client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let sent = try await client.send("Helo @bob", to: group.id)
            #expect(sent.mentions == group.members.filter { $0.name == "Bob" }.map(\.user))

            let edited = try await client.edit(String(sent.id.prefix(12)), to: "Hello")
            #expect(edited.id == sent.id && edited.text == "Hello" && edited.editedAt != nil)
            #expect(try await client.react(to: sent.id, with: "👍🏽").reactions.map(\.emoji) == ["👍🏽"])
            #expect(try await client.react(to: sent.id, with: "👍🏽").reactions.map(\.names) == [["Alice"]])
            #expect(try await client.pin(sent.id).pinned)
            #expect(try await client.pins(of: "Ship").map(\.text) == ["Hello"])
            let listed = try await client.messages(in: group.id, limit: 1).messages.last
            #expect(try await withoutReceipts(client.message(sent.id)) == withoutReceipts(listed))
            #expect(try await client.withdraw("👍🏽", from: sent.id).reactions.isEmpty)
            #expect(try await !client.unpin(sent.id).pinned)

            let deleted = try await client.delete(sent.id)
            #expect(deleted.deleted && deleted.text.isEmpty && deleted.readability == .deleted)
            #expect(deleted.deletedBy == deleted.sender)
            let again = try await client.delete(sent.id)
            #expect(withoutReceipts(again) == withoutReceipts(deleted), "a second time nothing more happens")
            let last = try await client.conversation(group.id).lastMessage
            #expect(withoutReceipts(last) == withoutReceipts(deleted))
            #expect(try await client.pins(of: "Ship").isEmpty)
        }
    }

    @Test func `quotes the first line of what a message answers`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let long = String(repeating: "ä", count: 200)
            let question = try await alice.client.send("\(long)\nsecond line", to: group.id)
            let answer = try await alice.client.send("yes", to: group.id, replyTo: question.id)
            #expect(answer.quote?.text == String(long.prefix(APILimits.maximumQuoteLength)))
            #expect(answer.quote?.senderName == "Alice")
            _ = try await alice.client.delete(question.id)
            let quote = try await alice.client.message(answer.id).quote
            #expect(quote?.text == "" && quote?.readability == .deleted)
        }
    }

    @Test func `does not quote a message of another conversation`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let direct = try await alice.client.openDirect(with: "Bob")
            let secret = try await alice.client.send("for Bob alone", to: direct.id)
            await #expect(throws: LocalClientError.self) {
                _ = try await alice.client.send("see there", to: group.id, replyTo: secret.id)
            }
        }
    }

    @Test func `refuses with a code what cannot be`() async throws {
        try await Alice.tells { alice in
            let client = alice.client
            let group = try await client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let sent = try await client.send("Hello", to: group.id)
            await expect("message_not_found") { _ = try await client.edit("0123456789ab", to: "x") }
            await expect("message_not_found") { _ = try await client.message("0") }
            await expect("message_not_found") { _ = try await client.delete(group.id) }
            await expect("text_invalid") { _ = try await client.edit(sent.id, to: "") }
            await expect("text_invalid") { _ = try await client.react(to: sent.id, with: "no emoji") }
            await expect("already_delivered") { _ = try await client.cancel(sent.id) }
            #expect(try await client.message(sent.id).text == "Hello", "nothing happened to it")
            _ = try await client.delete(sent.id)
            await expect("invalid_operation") { _ = try await client.edit(sent.id, to: "x") }
            await expect("invalid_operation") { _ = try await client.react(to: sent.id, with: "👍") }
            await expect("invalid_operation") { _ = try await client.pin(sent.id) }
            await expect("invalid_operation") { _ = try await client.cancel(sent.id) }
        }
    }

    @Test func `tells those who watch which message changed and how`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            let sent = try await alice.client.send("Hello", to: group.id)
            var changes: [NodeEvent] = []
            let events = await alice.node.subscribe().events.map(\.event)
            _ = try await alice.client.react(to: sent.id, with: "👍")
            _ = try await alice.client.edit(sent.id, to: "Hello again")
            _ = try await alice.client.delete(sent.id)
            _ = try await alice.client.delete(sent.id)
            for await event in events where event.type == .messageChanged {
                changes.append(event)
                if changes.count == 3 { break }
            }
            #expect(changes.map(\.message?.id) == [sent.id, sent.id, sent.id])
            #expect(changes.map(\.message?.deleted) == [false, false, true])
            #expect(
                changes.map(\.text) == [
                    "Alice reacted 👍 to a message of Alice", "Alice edited a message", "Alice deleted a message",
                ])
        }
    }

    /// A message but for how far it has come: receipts arrive between two requests.
    private func withoutReceipts(_ message: MessageDescription?) -> MessageDescription? {
        var message = message
        message?.state = nil
        return message
    }

    private func expect(
        _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ ask: () async throws -> Void
    ) async {
        do {
            try await ask()
            Issue.record("nothing was refused", sourceLocation: sourceLocation)
        } catch LocalClientError.refused(let detail) {
            #expect(detail.code == code, sourceLocation: sourceLocation)
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
        }
    }
}
