import Synchronization

/// What waits for a chat: what the person at the terminal does comes out first, however much of the rest there is.
///
/// What the person does stays in its order, and so does the rest. The rest comes out in portions, so that what is typed
/// meanwhile waits for one of them at most, and the screen is drawn once for each.
final class ChatInbox<Input: Sendable>: Sendable {
    /// How much of the rest comes out at a time.
    static var portion: Int { 256 }

    private struct Waiting {
        var typed: [Input] = []
        var rest: [Input] = []
        /// How many of the rest have come out.
        var taken = 0
    }

    private let waiting = Mutex(Waiting())
    private let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// Puts in what the person at the terminal does.
    func put(typed input: Input) {
        waiting.withLock { $0.typed.append(input) }
        wake.yield()
    }

    /// Forgets some of what the person did.
    func dropTyped(where isDropped: (Input) -> Bool) {
        waiting.withLock { $0.typed.removeAll(where: isDropped) }
    }

    /// Puts in what happens elsewhere.
    func put(_ input: Input) {
        waiting.withLock { $0.rest.append(input) }
        wake.yield()
    }

    /// How much is held, what has come out already included.
    var heldCount: Int { waiting.withLock { $0.typed.count + $0.rest.count } }

    /// Takes out what comes next, some of it at least; nil once the task is canceled.
    func next() async -> [Input]? {
        var iterator = wakes.makeAsyncIterator()
        while true {
            let inputs = take()
            guard inputs.isEmpty else { return inputs }
            guard await iterator.next() != nil else { return nil }
        }
    }

    /// Takes out what was typed, or else a portion of the rest; nothing where nothing waits.
    func take() -> [Input] {
        waiting.withLock { waiting in
            if !waiting.typed.isEmpty {
                defer { waiting.typed = [] }
                return waiting.typed
            }
            let end = min(waiting.rest.count, waiting.taken + Self.portion)
            let portion = Array(waiting.rest[waiting.taken..<end])
            waiting.taken = end
            // Also where more comes all the time, nothing that came out is held for long; each is moved once at most.
            if waiting.taken * 2 >= waiting.rest.count {
                waiting.rest.removeFirst(waiting.taken)
                waiting.taken = 0
            }
            return portion
        }
    }
}
