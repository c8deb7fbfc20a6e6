import NIOCore
import NIOPosix

/// The one thread on which this process does all input and output on Unix sockets of the local API, as server and as
/// client.
package enum LocalEventLoop {
    /// Chat of one user over a Unix socket: a second thread would cost memory and win nothing.
    package static let group: any EventLoopGroup = {
        NIOSingletons.groupLoopCountSuggestion = 1
        return MultiThreadedEventLoopGroup.singleton
    }()
}
