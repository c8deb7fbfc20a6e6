import Conversations
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Who is typing")
struct TypingIndicatorsTests {
    private let stage = TypingStage()
    private var typingIndicators = TypingIndicators()

    private mutating func hear(
        _ signal: TypingSignal, written: UInt64 = 0, at time: Duration
    ) -> TypingIndicators.Outcome {
        typingIndicators.hear(signal, in: stage.ship, written: written, at: time)
    }

    private func people(at time: Duration) -> [UserID] { typingIndicators.people(in: stage.ship, at: time) }

    @Test(arguments: [
        ([], nil),
        (["Alice"], "Alice is typing..."),
        (["Alice", "Bob"], "Alice and Bob are typing..."),
        (["Alice", "Bob", "Carol"], "Alice, Bob, and Carol are typing..."),
        (["Alice", "Bob", "Carol", "Dave"], "Alice, Bob, and 2 others are typing..."),
        (["Alice", "Bob", "Carol", "Dave", "Erin"], "Alice, Bob, and 3 others are typing..."),
    ])
    func `are said in one sentence`(names: [String], sentence: String?) {
        #expect(TypingIndicators.sentence(about: names) == sentence)
    }

    @Test mutating func `stand in the order in which they began`() {
        #expect(hear(stage.signal(by: stage.bob), at: .seconds(1)) == .heard(isNews: true))
        #expect(hear(stage.signal(by: stage.alice), at: .milliseconds(1_500)) == .heard(isNews: true))
        #expect(hear(stage.signal(by: stage.bob, counter: 2), at: .seconds(2)) == .heard(isNews: false))
        #expect(people(at: .seconds(2)) == [stage.bob.user, stage.alice.user])
        #expect(typingIndicators.people(in: stage.boat, at: .seconds(2)).isEmpty)
    }

    @Test mutating func `are gone three seconds after they were last heard`() {
        _ = hear(stage.signal(by: stage.alice), at: .seconds(1))
        _ = hear(stage.signal(by: stage.alice, counter: 2), at: .seconds(2))
        _ = hear(stage.signal(by: stage.bob), at: .milliseconds(2_500))
        #expect(typingIndicators.nextExpiry == .seconds(5))
        #expect(typingIndicators.expire(at: .milliseconds(4_999)) == [])
        #expect(people(at: .milliseconds(4_999)) == [stage.alice.user, stage.bob.user])
        #expect(people(at: .seconds(5)) == [stage.bob.user])
        #expect(typingIndicators.expire(at: .seconds(5)) == [stage.ship])
        #expect(typingIndicators.expire(at: .milliseconds(5_500)) == [stage.ship])
        #expect(typingIndicators.nextExpiry == nil)
    }

    @Test mutating func `are gone when the message comes, and not with one from before they began`() {
        _ = hear(stage.signal(by: stage.alice, written: 4), at: .zero)
        #expect(typingIndicators.wrote(stage.alice.author.device, sequenceNumber: 4, in: stage.ship) == false)
        #expect(typingIndicators.wrote(stage.bob.author.device, sequenceNumber: 5, in: stage.ship) == false)
        #expect(people(at: .zero) == [stage.alice.user])
        #expect(typingIndicators.wrote(stage.alice.author.device, sequenceNumber: 5, in: stage.ship) == true)
        #expect(people(at: .zero).isEmpty)
    }

    @Test mutating func `are gone when they are no members any more`() {
        let alice = stage.alice.user
        _ = hear(stage.signal(by: stage.alice), at: .zero)
        _ = hear(stage.signal(by: stage.bob), at: .zero)
        let before = typingIndicators.keep(in: stage.ship) { _ in true }
        let after = typingIndicators.keep(in: stage.ship) { $0 == alice }
        #expect(!before && after)
        #expect(people(at: .zero) == [alice])
    }

    @Test mutating func `are not heard again by what was heard before`() {
        let first = stage.signal(by: stage.alice, counter: 7)
        _ = hear(first, at: .zero)
        let before = typingIndicators
        #expect(hear(first, at: .seconds(2)) == .outdated)
        #expect(hear(stage.signal(by: stage.alice, counter: 6), at: .seconds(2)) == .outdated)
        #expect(typingIndicators == before)
        #expect(hear(stage.signal(by: stage.alice, counter: 8), at: .seconds(2)) == .heard(isNews: false))
    }

    @Test mutating func `are not heard by what they said before they sent it, even by who has just been started`() {
        #expect(hear(stage.signal(by: stage.alice, counter: 9, written: 3), written: 4, at: .zero) == .outdated)
        #expect(typingIndicators == TypingIndicators())
    }

    @Test mutating func `are heard once a second at most, wherever they write`() {
        _ = hear(stage.signal(by: stage.alice), at: .zero)
        let before = typingIndicators
        let elsewhere = stage.signal(by: stage.alice, counter: 2, in: stage.boat)
        #expect(typingIndicators.hear(elsewhere, in: stage.boat, written: 0, at: .milliseconds(999)) == .tooSoon)
        #expect(typingIndicators == before)
        #expect(typingIndicators.hear(elsewhere, in: stage.boat, written: 0, at: .seconds(1)) == .heard(isNews: true))
    }

    @Test mutating func `may be put back from a backup, but a liar has not as many replicas as they like`() {
        for replica in 1...4 as ClosedRange<UInt8> {
            let signal = stage.signal(by: stage.alice, replica: replica)
            #expect(hear(signal, at: .seconds(Int(replica))) == .heard(isNews: replica == 1))
        }
        #expect(hear(stage.signal(by: stage.alice, replica: 5), at: .seconds(5)) == .outdated)
    }
}
