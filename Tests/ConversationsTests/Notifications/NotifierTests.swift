import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

/// What Alice is notified of.
@Suite("Notifying")
struct NotifierTests {
    private let alice = UserID(digest: .hash("moot/1/test", Array("Alice".utf8)))
    private let bob = UserID(digest: .hash("moot/1/test", Array("Bob".utf8)))
    private let ship = ConversationID(digest: .hash("moot/1/test", Array("Ship".utf8)))
    private let boat = ConversationID(digest: .hash("moot/1/test", Array("Boat".utf8)))

    private func message(_ number: UInt8 = 1, mentionsMe: Bool = false) -> NotificationTrigger {
        NotificationTrigger(.messages(1, mentionsMe: mentionsMe), by: bob, operation: id(number))
    }

    private func id(_ number: UInt8) -> OperationID { OperationID(digest: .hash("moot/1/test", [number])) }

    @Test func `a message of somebody else is shown at once, and only once`() {
        var notifier = Notifier()
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(5))
        let shown = notifier.due(at: .seconds(5))
        #expect(shown.map(\.conversation) == [ship])
        #expect(shown.first?.link.description == "moot://conversation/\(ship)/\(id(1))")
        let later = notifier.due(at: .seconds(50))
        #expect(later.isEmpty)
        #expect(notifier.nextDue == nil)
    }

    @Test func `what somebody without a name caused waits for the name, for a while`() {
        var notifier = Notifier()
        notifier.note(message(1), in: ship, mute: nil, me: alice, isNamed: false, at: .seconds(5))
        notifier.note(message(2), in: ship, mute: nil, me: alice, isNamed: false, at: .seconds(7))
        #expect(notifier.due(at: .seconds(7)).isEmpty)
        #expect(notifier.nextDue == .seconds(5) + Notifier.nameTimeout)
        notifier.named(alice)
        #expect(notifier.due(at: .seconds(7)).isEmpty)
        notifier.named(bob)
        #expect(notifier.due(at: .seconds(7)).map(\.count) == [2])

        notifier.note(message(3), in: boat, mute: nil, me: alice, isNamed: false, at: .seconds(20))
        #expect(notifier.due(at: .seconds(20)).isEmpty)
        #expect(notifier.due(at: .seconds(20) + Notifier.nameTimeout).map(\.count) == [1])
    }

    @Test func `a name that is awaited keeps no deleted text on the screen, and nobody from being told of for long`() {
        let carol = UserID(digest: .hash("moot/1/test", Array("Carol".utf8)))
        let carols = NotificationTrigger(.messages(1, mentionsMe: false), by: carol, operation: id(9))
        var notifier = Notifier()
        notifier.note(message(1), in: ship, mute: nil, me: alice, at: .zero)
        #expect(notifier.due(at: .zero).map(\.count) == [1])
        notifier.note(carols, in: ship, mute: nil, me: alice, isNamed: false, at: .seconds(1))
        #expect(notifier.due(at: .seconds(2)).isEmpty)
        let hasToGo = notifier.retract([id(1)], in: ship)
        #expect(!hasToGo)
        #expect(notifier.due(at: .seconds(2)).map(\.trigger.actor) == [carol])

        notifier.note(carols, in: boat, mute: nil, me: alice, isNamed: false, at: .seconds(3))
        notifier.note(message(2), in: boat, mute: nil, me: alice, at: .seconds(3))
        #expect(notifier.due(at: .seconds(3)).map(\.trigger.actor) == [bob])

        // A message of another person without a name does not start the wait again.
        for second in stride(from: 10, to: 15, by: 2) {
            notifier.note(message(3), in: boat, mute: nil, me: alice, isNamed: false, at: .seconds(second))
            notifier.note(carols, in: boat, mute: nil, me: alice, isNamed: false, at: .seconds(second + 1))
        }
        #expect(notifier.nextDue == .seconds(10) + Notifier.nameTimeout)
    }

    @Test func `own doings are not told`() {
        var notifier = Notifier()
        notifier.note(message(), in: ship, mute: nil, me: bob, at: .zero)
        let shown = notifier.due(at: .zero)
        #expect(shown.isEmpty)
    }

    @Test func `being added and being removed is told`() {
        var notifier = Notifier()
        for kind in [NotificationTrigger.Kind.added, .removed] {
            notifier.note(
                NotificationTrigger(kind, by: bob, operation: id(1)), in: ship, mute: nil, me: alice, at: .zero)
            let shown = notifier.due(at: .zero)
            #expect(shown.map(\.trigger.kind) == [kind])
            let wasShown = notifier.read(ship)
            #expect(wasShown)
        }
    }

    @Test func `of deleted messages a notification tells no more, and goes with the last of them`() {
        var notifier = Notifier()
        for number in 1...3 as ClosedRange<UInt8> {
            notifier.note(message(number), in: ship, mute: nil, me: alice, at: .zero)
        }
        #expect(notifier.due(at: .zero).map(\.count) == [3])
        var hasToGo = notifier.retract([id(3)], in: ship)
        #expect(!hasToGo)
        let again = notifier.due(at: .seconds(1))
        #expect(again.map(\.count) == [2] && again.first?.trigger.operation == id(2))
        hasToGo = notifier.retract([id(9)], in: ship)
        #expect(!hasToGo && notifier.nextDue == nil, "it told nothing of that one")
        hasToGo = notifier.retract([id(1), id(2)], in: ship)
        #expect(hasToGo && notifier.nextDue == nil)
        hasToGo = notifier.read(ship)
        #expect(!hasToGo)
    }

    @Test func `of many messages at once the latest can be taken back`() {
        var notifier = Notifier()
        let burst = NotificationTrigger(.messages(4_000, mentionsMe: false), by: bob, operation: id(2))
        notifier.note(burst, of: [message(1), message(2)], in: ship, mute: nil, me: alice, at: .zero)
        let hasToGo = notifier.retract([id(2)], in: ship)
        #expect(!hasToGo)
        let shown = notifier.due(at: .zero)
        #expect(shown.map(\.count) == [3_999] && shown.first?.trigger.operation == id(1))
    }

    @Test func `a muted conversation is silent, but for mentions where they are wanted`() {
        var notifier = Notifier()
        let mute = Mute(until: nil)
        notifier.note(message(mentionsMe: true), in: ship, mute: mute, me: alice, at: .zero)
        notifier.note(NotificationTrigger(.added, by: bob, operation: nil), in: ship, mute: mute, me: alice, at: .zero)
        let mentionsOnly = Mute(until: nil, allowsMentions: true)
        notifier.note(message(), in: ship, mute: mentionsOnly, me: alice, at: .zero)
        let silent = notifier.due(at: .zero)
        #expect(silent.isEmpty)
        notifier.note(message(mentionsMe: true), in: ship, mute: mentionsOnly, me: alice, at: .zero)
        let shown = notifier.due(at: .zero)
        #expect(shown.count == 1)
    }

    @Test func `a conversation that is open is silent until it was not kept open for 15 seconds`() {
        var notifier = Notifier()
        let wasShown = notifier.open(ship, at: .seconds(10))
        #expect(!wasShown)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(24))
        let kept = notifier.due(at: .seconds(24))
        #expect(kept.isEmpty)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(25))
        let expired = notifier.due(at: .seconds(25))
        #expect(expired.count == 1)
        let wasShownAgain = notifier.open(ship, at: .seconds(26))
        #expect(wasShownAgain, "what is shown goes when the user looks")
        notifier.close(ship)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(27))
        let closed = notifier.due(at: .seconds(27))
        #expect(closed.count == 1)
    }

    @Test func `a conversation is silent while an interface shows it, until the last one is gone`() {
        var notifier = Notifier()
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .zero)
        _ = notifier.due(at: .zero)
        let wasShown = notifier.beginShowing(ship)
        #expect(wasShown, "what is shown goes when the user looks")
        _ = notifier.beginShowing(ship)
        notifier.endShowing(ship)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(3_600))
        let open = notifier.due(at: .seconds(3_600))
        #expect(open.isEmpty)
        notifier.endShowing(ship)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .seconds(3_601))
        let closed = notifier.due(at: .seconds(3_601))
        #expect(closed.count == 1)
    }

    @Test func `messages pile up until they are read`() {
        var notifier = Notifier()
        for number in 1...3 as ClosedRange<UInt8> {
            notifier.note(message(number), in: ship, mute: nil, me: alice, at: .zero)
        }
        notifier.note(message(), in: boat, mute: nil, me: alice, at: .zero)
        let shown = notifier.due(at: .zero)
        #expect(Set(shown.map(\.count)) == [1, 3])
        #expect(shown.first { $0.conversation == ship }?.trigger.operation == id(3))
        let wasShown = notifier.read(ship)
        #expect(wasShown)
        let isShownStill = notifier.read(ship)
        #expect(!isShownStill)
        notifier.note(message(), in: ship, mute: nil, me: alice, at: .zero)
        let fresh = notifier.due(at: .zero)
        #expect(fresh.map(\.count) == [1])
    }

    @Test func `100,000 messages within two seconds are three notifications`() {
        var notifier = Notifier()
        var shown: [Notification] = []
        for number in 0..<100_000 {
            let time = Duration.microseconds(20 * number)
            notifier.note(message(), in: ship, mute: nil, me: alice, at: time)
            if let next = notifier.nextDue, next <= time { shown += notifier.due(at: time) }
        }
        #expect(notifier.nextDue == .seconds(2))
        shown += notifier.due(at: .seconds(2))
        #expect(shown.count == 3)
        #expect(shown.last?.count == 100_000)
    }

    @Test func `the words tell who wrote where`() {
        let one = notification(count: 1)
        #expect(one.words(actor: "Bob", title: "Ship", isDirect: false, text: "Ahoy") == ("Bob in Ship", "Ahoy"))
        #expect(one.words(actor: "Bob", title: "Bob", isDirect: true, text: "Ahoy") == ("Bob", "Ahoy"))
        let three = notification(count: 3)
        #expect(
            three.words(actor: "Bob", title: "Family Group", isDirect: false, text: "Ahoy")
                == ("3 new messages in Family Group", "Bob: Ahoy"))
        #expect(
            three.words(actor: "Bob", title: "Bob", isDirect: true, text: "Ahoy")
                == ("3 new messages from Bob", "Ahoy"))
        #expect(one.words(actor: "Bob", title: "Ship", isDirect: false, text: nil).body == "A new message")
    }

    @Test func `a long text is cut between characters and ends with an ellipsis`() {
        let family = "👩‍👩‍👧‍👦"
        let exact = String(repeating: family, count: 100)
        #expect(notification(count: 1).words(actor: "B", title: "S", isDirect: true, text: exact).body == exact)
        let cut = notification(count: 1).words(actor: "B", title: "S", isDirect: true, text: exact + "!").body
        #expect(cut == String(repeating: family, count: 99) + "…")
        let tower = "e" + String(repeating: "\u{301}", count: 10_000)
        let body = notification(count: 1).words(actor: "B", title: "S", isDirect: true, text: "Hi \(tower)").body
        #expect(body == "Hi …")
    }

    @Test func `what could disturb a screen is taken out`() {
        let words = notification(count: 1).words(
            actor: "B\u{1B}[2Job\u{202E}", title: "Sh\nip", isDirect: false, text: "a\u{0}b\r\nc\u{9B}d\u{2066}")
        #expect(words == ("B[2Job in Sh ip", "ab cd"))
    }

    private func notification(count: Int) -> Notification {
        var notifier = Notifier()
        let trigger = NotificationTrigger(.messages(count, mentionsMe: false), by: bob, operation: id(1))
        notifier.note(trigger, in: ship, mute: nil, me: alice, at: .zero)
        guard let shown = notifier.due(at: .zero).first else { preconditionFailure("a first message is shown at once") }
        return shown
    }
}
