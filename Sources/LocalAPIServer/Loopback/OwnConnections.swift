import Glibc
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

import enum StreamTransport.ConnectionOwner

/// Which connections on loopback are the user's own. Each is looked up once, when it is accepted.
final class OwnConnections: Sendable {
    /// Of those that were not closed.
    private let findings = Mutex<[ObjectIdentifier: ConnectionOwner.Finding]>([:])

    /// Looks up whose a connection is, and returns whether it is worth reading: not if another user made it.
    ///
    /// One of which the kernel does not say whose it is stays, so that its user is told so.
    func takeIn(_ channel: any Channel) -> Bool {
        let finding = ConnectionOwner.find(of: channel)
        switch finding {
        case .user, .nobody: guard ConnectionOwner.admits(finding, self: geteuid()) else { return false }
        case .unknown: break
        }
        let id = ObjectIdentifier(channel)
        findings.withLock { $0[id] = finding }
        // The connection stays until this was done: its id must not be another's by then.
        channel.closeFuture.whenComplete { [self] _ in
            withExtendedLifetime(channel) { findings.withLock { $0[id] = nil } }
        }
        return true
    }

    /// Refuses a request on a connection that was not found to be the user's own.
    func check(_ channel: any Channel) throws(RequestRefusal) {
        switch findings.withLock({ $0[ObjectIdentifier(channel)] }) {
        case .user: return
        case .unknown(let reason): throw .ownerUnknown(reason)
        case .nobody, nil: throw .ownerUnknown("nobody has the connection")
        }
    }
}

/// HTTP on the user's own connections. Those of others are closed before anything is read, so they take no place of the
/// user's.
struct OwnChannel: ServerChildChannel {
    /// Another user made the connection.
    private struct Foreign: Error {}

    let http: HTTP1Channel
    let connections: OwnConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        guard connections.takeIn(channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(Foreign())
        }
        return http.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
