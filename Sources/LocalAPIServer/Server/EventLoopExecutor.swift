import LocalAPIClient
import NIOCore
import NIOPosix

/// Runs tasks on a thread that does the input and output of the local API.
///
/// A task that writes to a connection changes threads with every write where it runs elsewhere, and so does one that
/// waits for another. On the thread of the connections none of that wakes anybody. Nothing that takes long belongs
/// here: all connections would wait for it.
final class EventLoopExecutor: TaskExecutor {
    /// On the thread of the Unix socket.
    private static let socket = EventLoopExecutor(LocalEventLoop.group)
    /// On the thread of loopback. Whoever connects there again and again, which every user of the host can, must not
    /// hold up the Unix socket.
    static let loopback = EventLoopExecutor(MultiThreadedEventLoopGroup(numberOfThreads: 1))

    /// The one thread.
    let group: any EventLoopGroup
    private let loop: any EventLoop

    private init(_ group: any EventLoopGroup) {
        self.group = group
        loop = group.any()
    }

    /// The one on whose thread the connections of a server are.
    static func of(_ arrival: APIRequest.Arrival) -> EventLoopExecutor {
        switch arrival {
        case .socket: socket
        case .loopback: loopback
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
