import Glibc
import Hummingbird
import HummingbirdCore
import LocalAPIClient
import LocalAPIModel
import Logging
import NIOCore
import NIOPosix
import Node
import NodeCore
import ServiceLifecycle

/// The local API: HTTP/1.1 with JSON on a Unix socket that only the node's user can open, and for browsers, if wanted,
/// on loopback.
///
/// The socket is the whole access control there, so requests carry no token; ``LoopbackGuard`` says what they need on
/// loopback. One thread serves the connections of each; the node's actor does the work.
public struct LocalServer: Service {
    /// Where browsers find the API.
    public struct Web: Hashable, Sendable {
        /// The port of loopback; 0 for any that is free.
        public var port: Int
        /// Further hosts under which programs may ask for it, each with the port they use: `localhost:8080` where that
        /// is forwarded to it.
        public var otherHosts: [String]
        /// Whose pages may use it besides the node's own; nobody's unless the user names one.
        public var allowedOrigin: AllowedOrigin?

        /// Describes the address.
        public init(port: Int, otherHosts: [String] = [], allowedOrigin: AllowedOrigin? = nil) {
            self.port = port
            self.otherHosts = otherHosts
            self.allowedOrigin = allowedOrigin
        }
    }

    /// The most connections served at a time; more wait in the socket's queue. Event streams have fewer places, so that
    /// some are always left for requests.
    static let maximumConnections = EventStreamSlots.maximumStreams + 200

    static let decoderConfiguration = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100)

    private let node: Node
    private let heartbeat: Duration
    private let web: Web?
    private let settings: (any SettingsKeeper)?
    private let diagnostician: (any Diagnostician)?
    private let logger: Logger
    private let onReady: @Sendable (WebAddressDescription?) async -> Void

    /// Describes the API of a node.
    ///
    /// - Parameters:
    ///   - web: Where to serve browsers; nowhere if nil.
    ///   - settings: Who knows the settings of the node; nil where nobody does.
    ///   - diagnostician: Who finds faults of the host; nil where nobody does.
    ///   - heartbeat: After how long streams of events say that they are alive.
    ///   - onReady: Called once when requests are answered, with a single-use address for a browser if there is one.
    public init(
        node: Node, web: Web? = nil, settings: (any SettingsKeeper)? = nil,
        diagnostician: (any Diagnostician)? = nil, logger: Logger,
        heartbeat: Duration = .seconds(15),
        onReady: @escaping @Sendable (WebAddressDescription?) async -> Void = { _ in }
    ) {
        self.node = node
        self.web = web
        self.settings = settings
        self.diagnostician = diagnostician
        self.logger = logger
        self.heartbeat = heartbeat
        self.onReady = onReady
    }

    /// Answers requests until the service is shut down; then open requests are finished, event streams ended, and the
    /// socket removed.
    ///
    /// - Throws: ``NodeError`` if the socket or the port cannot be opened, or the file of tokens cannot be read.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await serve()
        } onGracefulShutdown: { [node] in
            // Whoever waits for what peers answer would keep the servers from ending.
            Task { await node.endReachabilityQuestions() }
        }
    }

    private func serve() async throws {
        let identity = await node.identity()
        let tokens = try TokenStore(home: identity.home)
        guard let web else {
            return try await serveSocket(state(loopback: nil, tokens))
        }
        let access = LoopbackAccess(
            device: identity.device, otherHosts: web.otherHosts, allowedOrigin: web.allowedOrigin, tokens: tokens)
        let state = state(loopback: access, tokens)
        let loopback = LoopbackServer(node: node, state: state, access: access, port: web.port, logger: logger)
        try await withThrowingTaskGroup { servers in
            let (listening, listens) = AsyncStream<Void>.makeStream()
            servers.addTask {
                defer { listens.finish() }
                try await loopback.run { listens.finish() }
            }
            for await _ in listening {}
            // What is announced as ready has both; and a port that is taken must not cost another node its socket.
            if access.isListening { servers.addTask { try await serveSocket(state) } }
            // The first that fails takes the other with it.
            for try await _ in servers {}
        }
    }

    private func state(loopback: LoopbackAccess?, _ tokens: TokenStore) -> ServerState {
        ServerState(
            loopback: loopback, tokens: tokens, settings: settings, diagnostician: diagnostician, heartbeat: heartbeat)
    }

    private func serveSocket(_ state: ServerState) async throws {
        let path = node.socketPath
        try await ServerSocket.prepare(path)
        let application = Application(
            router: router(state),
            server: .http1(configuration: .init(httpDecoderConfiguration: Self.decoderConfiguration)),
            configuration: ApplicationConfiguration(
                address: .unixDomainSocket(path: path), backlog: Self.maximumConnections,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections, logger: logger)),
            onServerRunning: { [logger, onReady] channel in
                do throws(NodeError) {
                    try ServerSocket.restrict(path)
                    await onReady(state.loopback?.makeAddress())
                } catch {
                    logger.critical("The socket is not private: no API", metadata: ["code": "\(error.code.rawValue)"])
                    try? await channel.close()
                }
            },
            eventLoopGroupProvider: .shared(LocalEventLoop.group),
            logger: logger)
        do {
            try await application.run()
        } catch let error as IOError {
            throw NodeError(.permissionDenied, "The socket \(path) cannot be opened: \(error)")
        }
        unlink(path)
    }

    private func router(_ state: ServerState) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ErrorMiddleware(pagePath: nil))
        Route.add(to: router, for: node, state: state, arrival: .socket)
        return router
    }
}
