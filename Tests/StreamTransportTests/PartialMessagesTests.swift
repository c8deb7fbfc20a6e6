import Synchronization
import Testing

@testable import StreamTransport

/// Messages that nobody ends.
@Suite("Partial messages")
struct PartialMessagesTests {
    /// Who was broken off, in that order.
    private final class Ends: Sendable {
        private let names = Mutex<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private let partial = PartialMessages(limit: 100)
    private let ends = Ends()

    private func begin(_ name: String) -> UInt64 {
        let ends = ends
        return partial.add { ends.add(name) }
    }

    @Test
    func `may take so much together, and not a byte more`() {
        let (alice, bob) = (begin("Alice"), begin("Bob"))
        partial.note(60, of: alice, isNew: false)
        partial.note(40, of: bob, isNew: false)
        #expect(partial.byteCount == 100)
        #expect(ends.all == [])
        partial.note(41, of: bob, isNew: false)
        #expect(ends.all == ["Alice"])
        #expect(partial.byteCount == 41)
    }

    @Test
    func `break off whoever has waited longest, not whoever holds most`() {
        let (alice, bob, carol) = (begin("Alice"), begin("Bob"), begin("Carol"))
        partial.note(5, of: bob, isNew: false)
        partial.note(90, of: alice, isNew: false)
        partial.note(5, of: carol, isNew: false)
        partial.note(6, of: carol, isNew: false)
        #expect(ends.all == ["Bob"])
        partial.note(11, of: carol, isNew: false)
        #expect(ends.all == ["Bob", "Alice"])
        #expect(partial.byteCount == 11)
    }

    @Test
    func `are young again after each that ends, so whoever ends theirs is not broken off`() {
        let (alice, bob) = (begin("Alice"), begin("Bob"))
        partial.note(50, of: alice, isNew: false)
        partial.note(50, of: bob, isNew: false)
        partial.note(40, of: alice, isNew: true)
        partial.note(70, of: alice, isNew: false)
        #expect(ends.all == ["Bob"])
        #expect(partial.byteCount == 70)
    }

    @Test
    func `of one connection alone are broken off, too, and one that is gone counts no more`() {
        let (alice, bob) = (begin("Alice"), begin("Bob"))
        partial.note(100, of: alice, isNew: false)
        partial.remove(alice)
        #expect(partial.byteCount == 0)
        partial.note(101, of: bob, isNew: false)
        #expect(ends.all == ["Bob"])
        #expect(partial.byteCount == 0)
        // What is still on its way from whoever was broken off counts for nobody.
        partial.note(101, of: bob, isNew: false)
        #expect(partial.byteCount == 0)
    }
}
