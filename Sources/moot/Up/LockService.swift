import Node
import ServiceLifecycle

/// Ends when the node is asked to lock, and takes the other services of the process with it, in their order.
struct LockService: Service {
    let node: Node

    func run() async throws {
        await cancelWhenGracefulShutdown { await node.waitUntilLocked() }
    }
}
