import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Node
import NodeCore
import ServiceLifecycle

/// The local API: HTTP/1.1 with JSON on a Unix socket that only the node's user can open.
///
/// The socket is the whole access control, so requests carry no token. One thread serves all connections; the node's
/// actor does the work.
public struct LocalServer: Service {
    /// What all routes begin with.
    public static let prefix = "/api/v1"

    /// The most connections served at a time; more wait in the socket's queue.
    static let mostConnections = 1_024

    private let node: Node
    private let logger: Logger
    private let onReady: @Sendable () async -> Void

    /// Describes the API of a node.
    ///
    /// - Parameter onReady: Called once when requests are answered.
    public init(node: Node, logger: Logger, onReady: @escaping @Sendable () async -> Void = {}) {
        self.node = node
        self.logger = logger
        self.onReady = onReady
    }

    /// Answers requests until the service is shut down; then open requests are finished, event streams ended, and the
    /// socket removed.
    ///
    /// - Throws: ``NodeError`` if the socket cannot be opened.
    public func run() async throws {
        let path = node.socketPath
        try await ServerSocket.prepare(path)
        let application = Application(
            router: Endpoint.router(for: node),
            server: .http1(
                configuration: .init(
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: path),
                availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections, logger: logger)),
            onServerRunning: { [logger, onReady] channel in
                do throws(NodeError) {
                    try ServerSocket.restrict(path)
                    await onReady()
                } catch {
                    logger.critical("The socket is not private: no API", metadata: ["code": "\(error.code.rawValue)"])
                    try? await channel.close()
                }
            },
            eventLoopGroupProvider: .shared(LocalThread.group),
            logger: logger)
        do {
            try await application.run()
        } catch let error as IOError {
            throw NodeError(.permissionDenied, "The socket \(path) cannot be opened: \(error)")
        }
        unlink(path)
    }
}
