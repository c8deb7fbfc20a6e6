import Dispatch

/// A value that only one serial queue may touch; any thread may hold it.
///
/// Sockets call back on a Dispatch queue, which the compiler cannot tell from any other thread. This box is where the
/// rule "only on the queue" is written down and checked: reaching the value from elsewhere stops the program.
///
/// It is `@unchecked Sendable` because nothing can be reached through it except on its serial queue, where no two
/// pieces of code run at the same time. No other type of this target is unchecked.
final class QueueConfined<Value: AnyObject>: @unchecked Sendable {
    /// The queue whose turn it must be.
    let queue: DispatchQueue
    private let confined: Value

    /// Gives a value to a serial queue. The caller keeps no other way to reach it.
    init(_ value: sending Value, on queue: DispatchQueue) {
        self.queue = queue
        confined = value
    }

    /// The value.
    ///
    /// - Precondition: The caller runs on ``queue``.
    var value: Value {
        dispatchPrecondition(condition: .onQueue(queue))
        return confined
    }

    /// Lets `body` have the value when the queue gets to it.
    func later(_ body: @escaping @Sendable (Value) -> Void) {
        queue.async { body(self.value) }
    }
}
