import Dispatch
import Replication
import Synchronization
import Testing

@testable import Node

@Suite("Preparing what comes on a connection")
struct BatchPreparationTests {
    private let queue = DispatchQueue(label: "test")

    @Test func `short messages are prepared where they came`() {
        let preparation = BatchPreparation(on: queue)
        let isDone = Mutex(false)
        #expect(!preparation.isLater(BatchPreparation.longByteCount - 1))
        preparation.inOrder(isLater: false) { isDone.withLock { $0 = true } }
        #expect(isDone.withLock { $0 })
    }

    @Test func `what follows a long message is handed on behind it, and then nothing waits any more`() {
        let preparation = BatchPreparation(on: queue)
        let done = Mutex<[Int]>([])
        func come(_ number: Int, _ byteCount: Int) {
            preparation.inOrder(isLater: preparation.isLater(byteCount)) { done.withLock { $0.append(number) } }
        }
        queue.suspend()
        come(1, BatchPreparation.longByteCount)
        come(2, 5)
        come(3, 0)
        #expect(done.withLock { $0 }.isEmpty, "they wait for the long one")
        queue.resume()
        queue.sync {}
        #expect(done.withLock { $0 } == [1, 2, 3])
        #expect(!preparation.isLater(5))
        come(4, 5)
        #expect(done.withLock { $0 } == [1, 2, 3, 4])
    }
}
