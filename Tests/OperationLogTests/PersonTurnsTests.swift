import Cryptography
import OperationLog
import Testing

@Suite("Whose turn it is to be asked")
struct PersonTurnsTests {
    private let alice = UserID(digest: .hash("alice"))
    private let bob = UserID(digest: .hash("bob"))
    private var turns = PersonTurns()

    @Test mutating func `who had a turn longest ago comes first`() {
        turns.begin(alice)
        #expect(turns.place(of: bob) < turns.place(of: alice))
        turns.begin(bob)
        #expect(turns.place(of: alice) < turns.place(of: bob))
    }

    @Test mutating func `who has shown that they have it comes before who had a turn longer ago`() {
        turns.begin(alice)
        #expect(turns.place(of: alice, hasShown: true) < turns.place(of: bob))
    }

    @Test func `a second device of a person comes after the first of everybody`() {
        #expect(turns.place(of: bob) < turns.place(of: alice, hasShown: true, turnsInRound: 1))
    }

    @Test mutating func `who kept silent comes last, whatever they have shown, until they bring something`() {
        turns.begin(alice)
        turns.miss(alice)
        turns.begin(bob)
        #expect(turns.isVain(alice) && !turns.isVain(bob))
        #expect(turns.place(of: bob, turnsInRound: 7) < turns.place(of: alice, hasShown: true))
        turns.bring(alice)
        #expect(!turns.isVain(alice))
        #expect(turns.place(of: alice) < turns.place(of: bob))
    }

    @Test func `items go round by person, in the order they came in`() {
        let items = [(alice, 1), (alice, 2), (alice, 3), (bob, 4), (bob, 5)]
        #expect(inTurn(items, by: \.0).map(\.1) == [1, 4, 2, 5, 3])
    }
}
