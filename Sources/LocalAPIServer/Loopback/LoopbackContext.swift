import Hummingbird
import NIOCore

/// A request on loopback, which knows its connection.
struct LoopbackContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
