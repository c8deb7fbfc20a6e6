import Node
import ServiceLifecycle

/// The node among the services of the process. It was started before; its place here is to stop it last.
struct NodeService: Service {
    let node: Node

    func run() async throws {
        // Ends by a signal, or because another service failed; either way the node stops in peace.
        try? await gracefulShutdown()
        await node.stop()
        // Connections say goodbye on the node's queue, behind what it does now.
        await node.takeTurn()
    }
}
