import Foundation
import LocalAPIModel
import Logging
import Node
import NodeCore
import Synchronization
import Testing
import Waiting

/// What Bob is notified of by their node, while Alice and Carol talk.
@Suite("Notifications of a node")
struct NotificationTests {
    /// Keeps what it is told to show.
    final class Screen: NotificationSink {
        enum Entry: Hashable, Sendable {
            case shown(title: String, body: String, count: Int)
            case cleared(String)
        }

        private struct State {
            var entries: [Entry] = []
            var latest: NotificationDescription?
            var opened: [NotificationDescription] = []
            var act: (@Sendable (NotificationAction) -> Void)?
        }

        private let state = Mutex(State())

        var entries: [Entry] { state.withLock { $0.entries } }
        var latest: NotificationDescription? { state.withLock { $0.latest } }
        /// What it was told to open.
        var opened: [NotificationDescription] { state.withLock { $0.opened } }

        func start(acting act: @escaping @Sendable (NotificationAction) -> Void) { state.withLock { $0.act = act } }

        func show(_ notification: NotificationDescription) {
            state.withLock { state in
                state.latest = notification
                state.entries.append(
                    .shown(title: notification.title, body: notification.body, count: notification.count))
            }
        }

        func clear(conversation: String) { state.withLock { $0.entries.append(.cleared(conversation)) } }

        func open(_ notification: NotificationDescription) { state.withLock { $0.opened.append(notification) } }

        func stop() {}

        /// What the user does.
        func act(_ action: NotificationAction) { state.withLock { $0.act }?(action) }
    }

    /// Three nodes that know each other.
    private struct Trio {
        let alice: Node
        let bob: Node
        let carol: Node
        let screen: Screen
    }

    private func tell(_ story: (Trio) async throws -> Void) async throws {
        let scratch = try Scratch()
        let screen = Screen()
        let alice = try await Node.start("Alice", in: scratch)
        let peers = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: peers, notificationSinks: [screen])
        let carol = try await Node.start("Carol", in: scratch, peers: peers)
        for node in [alice, bob, carol] {
            await eventually("everybody knows everybody") { await node.hasMet(2) }
        }
        try await story(Trio(alice: alice, bob: bob, carol: carol, screen: screen))
        for node in [alice, bob, carol] { await node.stop() }
    }

    @Test func `tells of being added, of messages and of being removed, and no more once it was read`() async throws {
        try await tell { trio in
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            let added = Screen.Entry.shown(title: "Alice in Ship", body: "You were added to this group", count: 0)
            await eventually("they are told that they are in") { trio.screen.entries == [added] }
            _ = try await trio.alice.send(["Ahoy"], to: ship)
            let first = Screen.Entry.shown(title: "Alice in Ship", body: "Ahoy", count: 1)
            await eventually("they are told of the message") { trio.screen.entries == [added, first] }
            let message = try #require(trio.screen.latest?.message)
            #expect(trio.screen.latest?.link == "moot://conversation/\(ship)/\(message)")
            let told = try #require(trio.screen.latest)
            let user = await trio.alice.identity().user
            #expect(told.type == .message && told.isGroup && told.sender == user)
            #expect(told.badge == 1 && told.sound && told.icon == nil)
            #expect(told.timestamp.hasPrefix("20"))
            #expect(try await trio.bob.messages(in: ship).messages.last?.id == message)

            _ = try await trio.bob.send(["My own"], to: ship)
            _ = try await trio.bob.markRead(ship)
            #expect(trio.screen.entries == [added, first, .cleared(ship)])
            _ = try await trio.alice.remove("Bob", from: ship)
            let removed = Screen.Entry.shown(title: "Alice in Ship", body: "You were removed from Ship", count: 0)
            await eventually("they are told that they are out") { trio.screen.entries.last == removed }
        }
    }

    @Test func `many messages in a row are few notifications, and stack`() async throws {
        try await tell { trio in
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            await eventually("they are in") { try await !trio.bob.conversations().isEmpty }
            _ = try await trio.bob.markRead(ship)
            _ = try await trio.alice.send((1...3_999).map { "\($0)" }, to: ship)
            _ = try await trio.alice.send(["The last word"], to: ship)
            let last = Screen.Entry.shown(
                title: "4000 new messages in Ship", body: "Alice: The last word", count: 4_000)
            await eventually("they are told of all") { trio.screen.entries.last == last }
            #expect(trio.screen.entries.count < 10)
        }
    }

    @Test func `is silent where the user muted or looks, but for mentions where they want them`() async throws {
        try await tell { trio in
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            let direct = try await trio.alice.openDirect(with: "Bob").id
            #expect(try await trio.bob.openDirect(with: "Alice").id == direct)
            await eventually("they have both") { try await trio.bob.conversations().count == 2 }
            _ = try await trio.bob.change(PreferencesRequest(muting: .forever), of: ship)
            _ = try await trio.bob.keepOpen(ship)
            let before = trio.screen.entries
            _ = try await trio.alice.send(["muted"], to: ship)
            _ = try await trio.bob.keepOpen(direct)
            _ = try await trio.alice.send(["seen"], to: direct)
            await eventually("both are here") {
                try await trio.bob.conversations().map(\.unread) == [1, 1]
            }
            _ = try await trio.bob.close(direct)
            _ = try await trio.bob.change(PreferencesRequest(mentionsOnly: true), of: ship)
            _ = try await trio.bob.close(ship)
            _ = try await trio.alice.send(["not for them"], to: ship)
            _ = try await trio.alice.send(["for @bob"], to: ship)
            let mention = Screen.Entry.shown(title: "Alice in Ship", body: "for @bob", count: 1)
            await eventually("they are told of the mention") { trio.screen.entries.last == mention }
            #expect(trio.screen.entries == before + [mention])
            #expect(trio.screen.latest?.sound == false, "a muted conversation makes no sound")
            _ = try await trio.alice.send(["psst"], to: direct)
            let whisper = Screen.Entry.shown(title: "Alice", body: "psst", count: 1)
            await eventually("they are told what they whisper") { trio.screen.entries.last == whisper }
        }
    }

    @Test func `stays for what is unread behind the message up to which the user read`() async throws {
        try await tell { trio in
            let direct = try await trio.alice.openDirect(with: "Bob").id
            let sent = try await trio.alice.send(["One", "Two", "Three"], to: direct).map(\.id)
            await eventually("they are here") { (try? await trio.bob.conversation(direct).unread) == 3 }
            await eventually("they are told") { trio.screen.latest?.body.hasSuffix("Three") == true }
            #expect(try await trio.bob.markRead(direct, upTo: sent[1]).unread == 1)
            #expect(try await trio.bob.unreadMessages(in: direct).messages.map(\.text) == ["Three"])
            #expect(try await trio.bob.markRead(direct, upTo: sent[0]).unread == 1, "what was read stays read")
            await eventually("Alice is told of two") {
                try await trio.alice.messages(in: direct).messages.map { $0.state?.phase } == [
                    .read, .read, .delivered,
                ]
            }
            #expect(!trio.screen.entries.contains(.cleared(direct)))
            #expect(try await trio.bob.markRead(direct, upTo: sent[2]).unread == 0)
            #expect(trio.screen.entries.last == .cleared(direct))
        }
    }

    @Test func `is silent of a conversation as long as somebody holds that it is shown`() async throws {
        try await tell { trio in
            let direct = try await trio.alice.openDirect(with: "Bob").id
            _ = try await trio.alice.send(["first"], to: direct)
            await eventually("they are told") { trio.screen.latest?.body == "first" }
            do {
                let shown = try await trio.bob.show(direct)
                let before = trio.screen.entries
                _ = try await trio.alice.send(["seen"], to: direct)
                await eventually("it is here") { try await trio.bob.conversation(direct).unread == 2 }
                #expect(trio.screen.entries == before, "what was shown went when the user began to look")
                withExtendedLifetime(shown) {}
            }
            // That it is shown no more is told by nobody but the last reference, and a moment later.
            await eventually("they are told again") {
                _ = try await trio.alice.send(["unseen"], to: direct)
                return trio.screen.latest?.body == "unseen"
            }
            await #expect(throws: NodeError.self) { try await trio.bob.show("Nowhere") }
        }
    }

    @Test func `a deleted message is neither unread nor shown, whoever deleted it`() async throws {
        try await tell { trio in
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            for node in [trio.bob, trio.carol] {
                await eventually("they are in") { try await !node.conversations().isEmpty }
            }
            _ = try await trio.bob.markRead(ship)
            let first = try await trio.alice.send(["One"], to: ship)[0].id
            let second = try await trio.carol.send(["Two"], to: ship)[0].id
            await eventually("both are here") { try await trio.bob.conversation(ship).unread == 2 }
            await eventually("Alice has it") { try await trio.alice.messages(in: ship).messages.last?.id == second }
            // The founder decides about what others wrote.
            _ = try await trio.alice.delete(second)
            await eventually("one is left") { try await trio.bob.conversation(ship).unread == 1 }
            let left = Screen.Entry.shown(title: "Alice in Ship", body: "One", count: 1)
            await eventually("it is shown alone") { trio.screen.entries.last == left }
            #expect(try await trio.bob.unreadCount() == 1)
            #expect(try await trio.bob.unreadMessages(in: ship).messages.map(\.text) == ["One"])
            #expect(await trio.bob.status().unread == 1)
            _ = try await trio.alice.delete(first)
            await eventually("nothing is left") { trio.screen.entries.last == .cleared(ship) }
            #expect(try await trio.bob.conversations().map(\.unread) == [0])
        }
    }

    @Test func `who is invited is told, and asked`() async throws {
        try await tell { trio in
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            await eventually("they are in") { try await !trio.bob.conversations().isEmpty }
            _ = try await trio.alice.remove("Bob", from: ship)
            await eventually("they are told that they are out") {
                trio.screen.latest?.body == "You were removed from Ship"
            }
            _ = try await trio.alice.invite("Bob", to: ship)
            let invited = Screen.Entry.shown(
                title: "Alice in Ship", body: "You were invited to this group. Do you accept?", count: 0)
            await eventually("they are told of the invite") { trio.screen.entries.last == invited }
        }
    }

    @Test func `a new group of somebody blocked is neither listed nor told of, until they are blocked no more`()
        async throws
    {
        try await tell { trio in
            let old = try await trio.alice.createGroup(name: "Old", members: ["Bob", "Carol"]).id
            await eventually("they are in") { try await !trio.bob.conversations().isEmpty }
            _ = try await trio.bob.setBlocked(true, of: "Alice")
            #expect(try await trio.bob.conversations().map(\.id) == [old], "what they were in already stays theirs")
            let before = trio.screen.entries
            let ship = try await trio.alice.createGroup(name: "Ship", members: ["Bob", "Carol"]).id
            await eventually("Carol is in") { try await trio.carol.conversations().count == 2 }
            _ = try await trio.carol.send(["Ahoy"], to: ship)
            await eventually("it is here") { try await trio.bob.conversation(ship).memberCount == 3 }
            #expect(try await trio.bob.conversations().map(\.id) == [old])
            #expect(try await trio.bob.conversations(ConversationFilter(part: .requests)).isEmpty)
            await #expect(throws: NodeError.self) { try await trio.bob.send(["Hello"], to: ship) }
            _ = try await trio.alice.remove("Bob", from: ship)
            await eventually("they are out") { try await trio.bob.conversation(ship).me.isMember == false }
            #expect(try await trio.bob.conversations().map(\.id) == [old], "also when it is over")
            #expect(trio.screen.entries == before)
            _ = try await trio.bob.setBlocked(false, of: "Alice")
            #expect(try await trio.bob.conversations().count == 2)
        }
    }

    @Test func `does what the user does with a notification`() async throws {
        try await tell { trio in
            let direct = try await trio.alice.openDirect(with: "Bob").id
            _ = try await trio.alice.send(["Coming?"], to: direct)
            await eventually("they are told") { trio.screen.latest != nil }
            let shown = try #require(trio.screen.latest)
            let events = await trio.bob.subscribe().events.map(\.event)
            trio.screen.act(.open(shown))
            for await event in events where event.type == .notificationOpened {
                #expect(event.notification == shown)
                break
            }
            await eventually("the desktop opens it") { trio.screen.opened == [shown] }
            trio.screen.act(.open(shown))
            for await event in events where event.type == .notificationOpened { break }
            // A page that somebody looks at goes there.
            _ = try await trio.bob.keepOpen(direct)
            try await Task.sleep(for: .milliseconds(700))
            #expect(trio.screen.opened == [shown], "no browser is started for what is shown")
            trio.screen.act(.reply("On my way", conversation: direct))
            await eventually("Alice has their answer") {
                try await trio.alice.messages(in: direct).messages.last?.text == "On my way"
            }
            await eventually("it is read") { trio.screen.entries.last == .cleared(direct) }
            #expect(try await trio.bob.conversation(direct).unread == 0)
        }
    }
}
