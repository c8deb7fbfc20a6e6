import LocalAPIModel
import Logging
import Node

extension Node {
    /// Starts a node in this process, on loopback, that looks for nobody but these peers and logs nothing.
    static func start(
        _ name: String, in scratch: Scratch, listen: String = "127.0.0.1:0", peers: [String] = [],
        notificationSinks: [any NotificationSink] = []
    ) async throws -> Node {
        let node = try await Node.open(
            NodeConfiguration(
                home: scratch.file(name), name: name, listen: listen, peers: peers, discovery: false,
                notificationSinks: notificationSinks),
            logger: Logger(label: "moot") { _ in SwiftLogNoOpLogHandler() })
        try await node.start()
        return node
    }

    /// Whether so many others are connected and known by name: of who has only just connected it knows none yet.
    func hasMet(_ others: Int) -> Bool {
        peers().count == others && people().count { $0.name != "Unknown" } == others + 1
    }
}
