import LocalAPIModel
import Logging
import Node
import ServiceLifecycle

/// Points to the doctor when a node has found nobody for a while after its start.
struct LonelyNode: Service {
    /// Nodes of one network find each other within seconds.
    static let timeout = Duration.seconds(30)

    let node: Node
    let output: Output
    let logger: Logger
    /// Whether what the process prints ends in a log, where lines have a time.
    let isLogged: Bool

    func run() async throws {
        await cancelWhenGracefulShutdown {
            guard (try? await Task.sleep(for: Self.timeout)) != nil else { return }
            guard let hint = Self.hint(await node.status(), await node.reachability()) else { return }
            if isLogged { logger.notice("\(hint)") } else { output.say(hint) }
        }
        try await gracefulShutdown()
    }

    /// What to say of a node that has looked around; nil where somebody is there, or where nobody was looked for.
    static func hint(_ status: StatusDescription, _ reachability: ReachabilityDescription) -> String? {
        guard status.discovery, status.peers.isEmpty, reachability.beacons.isEmpty else { return nil }
        return "No other node was found. Run: moot doctor"
    }
}
