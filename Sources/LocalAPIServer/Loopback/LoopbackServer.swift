import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import LocalAPIClient
import LocalAPIModel
import Logging
import NIOCore
import NIOPosix
import Node
import NodeCore

/// The local API for browsers: the same routes as on the Unix socket, on a port of 127.0.0.1, behind ``LoopbackGuard``.
struct LoopbackServer: Sendable {
    /// The most connections at a time. They are not those of the Unix socket: whoever opens all of these locks out browsers only.
    static let maximumConnections = EventStreamSlots.maximumStreams + 100

    /// How long a connection may stay open without a request.
    private static let idleTimeout = TimeAmount.seconds(60)

    let node: Node
    let state: ServerState
    let access: LoopbackAccess
    /// The port wanted; 0 for any that is free, and then the one of the last time if that is.
    let port: Int
    let lastPort: LastPort
    let logger: Logger

    /// Answers requests until the service is shut down.
    ///
    /// - Throws: ``NodeError`` with `port_in_use`, or `permission_denied` where the system keeps the port to itself.
    func run(onListening: @escaping @Sendable () -> Void) async throws {
        do {
            guard port == 0, let last = lastPort.read() else { return try await listen(on: port, onListening) }
            do {
                try await listen(on: last, onListening)
            } catch let error as IOError where !access.isListening {
                logger.info("the page gets another port", metadata: ["reason": "\(error)"])
                try await listen(on: 0, onListening)
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw NodeError(
                .portInUse, "The port \(port) of 127.0.0.1 is in use", hint: "Choose another with --web, or 0 for any.")
        } catch let error as IOError {
            throw NodeError(
                .permissionDenied, "The port \(port) of 127.0.0.1 cannot be opened: \(error)",
                hint: "Choose one above 1023 with --web, or 0 for any.")
        }
    }

    /// Answers requests on a port until the service is shut down.
    private func listen(on port: Int, _ onListening: @escaping @Sendable () -> Void) async throws {
        let application = Application(
            router: router(),
            server: .http1(
                configuration: .init(
                    idleTimeout: Self.idleTimeout, httpDecoderConfiguration: LocalServer.decoderConfiguration)),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), backlog: Self.maximumConnections,
                availableConnectionsDelegate: MaximumAvailableConnections(Self.maximumConnections, logger: logger)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port {
                    access.listens(on: port)
                    lastPort.write(port)
                }
                onListening()
            },
            eventLoopGroupProvider: .shared(LocalEventLoop.group),
            logger: logger)
        try await application.run()
    }

    private func router() -> Router<LoopbackContext> {
        let router = Router(context: LoopbackContext.self)
        router.add(middleware: ProtectiveFields())
        if let origin = access.allowedOrigin { router.add(middleware: CrossOriginFields(allowed: origin)) }
        router.add(middleware: ErrorMiddleware(hasPages: true))
        router.add(middleware: LoopbackGuard(access: access))
        PageRoutes.add(to: router)
        // Not for HEAD: a program that only looks whether a link leads anywhere must not use it up.
        router.on(RouterPath(LoopbackGuard.opening + "{secret}"), method: .get) {
            [access] request, context -> Response in
            guard let entered = context.parameters.get("secret").flatMap({ access.enter(by: $0) }) else {
                throw RequestRefusal.addressUsed
            }
            // Without a fragment of its own it keeps that of the address: `/open/SECRET#/conversation/ID` leads to the conversation.
            return Response(
                status: .seeOther, headers: [.location: "/?claim=" + entered.claim, .setCookie: entered.cookie])
        }
        Route.add(to: router, for: node, state: state, arrival: .loopback)
        return router
    }
}
