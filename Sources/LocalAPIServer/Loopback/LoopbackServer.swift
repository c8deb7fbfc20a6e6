import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAPIModel
import Logging
import NIOCore
import Node
import NodeCore

/// The local API for browsers: the same routes as on the Unix socket, on a port of 127.0.0.1 and [::1], behind
/// ``LoopbackGuard``.
struct LoopbackServer: Sendable {
    /// The most connections of the user at a time. They are not those of the Unix socket: whoever opens all of these
    /// locks out browsers only.
    static let maximumConnections = EventStreamSlots.maximumStreams + 100

    /// How long a connection may stay open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    let node: Node
    let state: ServerState
    let access: LoopbackAccess
    /// The port wanted; 0 for any that is free.
    let port: Int
    let logger: Logger
    let connections = OwnConnections()

    /// How many ports are tried where any will do: of each, somebody else may have the other half.
    private static let attempts = 32
    /// Where they are, after the first, which the system chose: it prefers some, of which somebody else may have the
    /// other halves all.
    private static let ports = 20_000...65_535

    /// Answers requests until the service is shut down.
    ///
    /// - Throws: ``NodeError`` with `port_in_use`, or `permission_denied` where the system keeps the port to itself.
    func run(onListening: @escaping @Sendable () -> Void) async throws {
        var attempt = 1
        while true {
            do {
                let tried = attempt == 1 ? port : Int.random(in: Self.ports)
                return try await listen(on: tried, onListening)
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                guard port == 0, attempt < Self.attempts, !access.isListening else {
                    let which = port == 0 ? "Every port that was tried" : "The port \(port)"
                    throw NodeError(
                        .portInUse, "\(which) of 127.0.0.1 or [::1] is in use",
                        hint: "Choose another with --web, 0 for any, or off for no page.")
                }
                attempt += 1
            } catch let error as IOError {
                throw NodeError(
                    .permissionDenied, "The port \(port) of 127.0.0.1 cannot be opened: \(error)",
                    hint: "Choose one above 1023 with --web, or 0 for any.")
            }
        }
    }

    /// Answers requests on both addresses of loopback, or on neither: browsers try both of the page's name, and
    /// somebody else could have the other.
    private func listen(on port: Int, _ onListening: @escaping @Sendable () -> Void) async throws {
        try await withThrowingTaskGroup { servers in
            let (bound, isBound) = AsyncStream<Int>.makeStream()
            servers.addTask {
                defer { isBound.finish() }
                try await serve(at: "127.0.0.1", port) { isBound.yield($0) }
            }
            for await port in bound {
                servers.addTask {
                    do {
                        try await serve(at: "::1", port) { port in
                            access.listens(on: port)
                            onListening()
                        }
                    } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
                        // A host without IPv6: nobody has that address.
                        access.listens(on: port)
                        onListening()
                    }
                }
                break
            }
            // The first that fails takes the other with it.
            for try await _ in servers {}
        }
    }

    /// Answers requests at one address until the service is shut down.
    private func serve(
        at host: String, _ port: Int, _ onListening: @escaping @Sendable (Int) -> Void
    ) async throws {
        let application = Application(
            router: router(),
            server: HTTPServerBuilder { [connections] responder in
                let configuration = HTTP1Channel.Configuration(
                    idleTimeout: Self.idleTimeout, httpDecoderConfiguration: LocalServer.decoderConfiguration)
                return OwnChannel(
                    http: HTTP1Channel(responder: responder, configuration: configuration), connections: connections)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: Self.maximumConnections,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections, logger: logger)),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) },
            eventLoopGroupProvider: .shared(EventLoopExecutor.loopback.group),
            logger: logger)
        try await application.run()
    }

    private func router() -> Router<LoopbackContext> {
        let router = Router(context: LoopbackContext.self)
        router.add(middleware: ProtectiveFields())
        if let origin = access.allowedOrigin { router.add(middleware: CrossOriginFields(allowed: origin)) }
        router.add(middleware: ErrorMiddleware(pagePath: access.pagePath))
        router.add(
            middleware: LoopbackGuard(access: access, connections: connections) { [access, node, logger] in
                logger.warning("a browser asked for a service worker, which the page has none of")
                if access.mustTellOfWorker() { await node.notifyOfPlantedWorker() }
            })
        PageRoutes.add(to: router, files: .embedded(below: access.pagePath))
        // Not for HEAD: a program that only looks whether a link leads anywhere must not use it up.
        router.on(RouterPath(LoopbackGuard.opening + "{secret}"), method: .get) {
            [access] request, context -> Response in
            guard let entered = context.parameters.get("secret").flatMap({ access.enter(by: $0) }) else {
                throw RequestRefusal.addressUsed
            }
            // Without a fragment of its own it keeps that of the address: `/open/SECRET#/conversation/ID` leads to the
            // conversation.
            return Response(
                status: .seeOther, headers: [.location: "/?claim=" + entered.claim, .setCookie: entered.cookie])
        }
        Route.add(to: router, for: node, state: state, arrival: .loopback)
        return router
    }
}
