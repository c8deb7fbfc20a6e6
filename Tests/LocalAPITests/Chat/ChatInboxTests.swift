import Testing

@testable import moot

@Suite("What waits for a chat")
struct ChatInboxTests {
    @Test func `what is typed comes out before thousands of messages that came earlier`() async {
        let inbox = ChatInbox<String>()
        for number in 0..<5_000 { inbox.put("message \(number)") }
        inbox.put(typed: "a")
        inbox.put(typed: "b")
        #expect(await inbox.next() == ["a", "b"])
        let portion = inbox.take()
        #expect(portion.count == ChatInbox<String>.portion)
        // Typed while that portion is being shown, it waits for no other.
        inbox.put(typed: "c")
        #expect(inbox.take() == ["c"])
    }

    @Test func `the rest comes out whole, in its order and in few portions`() async {
        let inbox = ChatInbox<Int>()
        for number in 0..<5_000 { inbox.put(number) }
        var (taken, portions) = ([Int](), 0)
        while taken.count < 5_000, let inputs = await inbox.next() {
            taken += inputs
            portions += 1
        }
        #expect(taken == Array(0..<5_000))
        #expect(portions <= 20, "each is drawn once")
        #expect(inbox.take().isEmpty)
    }

    @Test func `holds little, also where it never gets empty`() {
        let inbox = ChatInbox<Int>()
        var (next, taken) = (0, [Int]())
        for _ in 0..<ChatInbox<Int>.portion {
            inbox.put(next)
            next += 1
        }
        for _ in 0..<1_000 {
            for _ in 0..<ChatInbox<Int>.portion {
                inbox.put(next)
                next += 1
            }
            taken += inbox.take()
            #expect(inbox.heldCount <= 4 * ChatInbox<Int>.portion)
        }
        #expect(taken == Array(0..<taken.count))
    }

    @Test func `who waits hears of what is put in later`() async {
        let inbox = ChatInbox<Int>()
        async let next = inbox.next()
        inbox.put(1)
        #expect(await next == [1])
    }
}
