import Node
import ServiceLifecycle
import Supervision

/// Shows the service manager that the node works, and tells it when the node is about to end.
struct SupervisedService: Service {
    let node: Node
    /// Nil where nobody supervises.
    let manager: ServiceManager?

    func run() async throws {
        guard let manager else { return try await gracefulShutdown() }
        await cancelWhenGracefulShutdown {
            await Watchdog(telling: manager) { await node.takeTurn() }.run()
            // Without a watchdog there is nothing to do before the end.
            try? await gracefulShutdown()
        }
        manager.tell(.stopping)
    }
}
