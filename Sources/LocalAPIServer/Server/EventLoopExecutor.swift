import LocalAPIClient
import NIOCore

/// Runs tasks on the thread that does the input and output of the local API.
///
/// A task that writes to a connection changes threads with every write where it runs elsewhere, and so does one that waits for another. On the
/// thread of the connections none of that wakes anybody. Nothing that takes long belongs here: all connections would wait for it.
final class EventLoopExecutor: TaskExecutor {
    /// The only one, as there is only one such thread.
    static let shared = EventLoopExecutor(LocalEventLoop.group.any())

    private let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
