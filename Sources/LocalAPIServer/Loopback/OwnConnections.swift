import Glibc
import NIOCore
import Synchronization

/// Which connections on loopback are the user's own. Each is looked up once, with its first request.
final class OwnConnections: Sendable {
    private let findings = Mutex<[ObjectIdentifier: ConnectionOwner.Finding]>([:])

    /// Refuses a request on a connection that another user made.
    func check(_ channel: any Channel) throws(RequestRefusal) {
        let finding = finding(of: channel)
        guard !ConnectionOwner.admits(finding, self: geteuid()) else { return }
        switch finding {
        case .user, .nobody: throw .foreignProcess
        case .unknown(let reason): throw .ownerUnknown(reason)
        }
    }

    private func finding(of channel: any Channel) -> ConnectionOwner.Finding {
        let id = ObjectIdentifier(channel)
        if let known = findings.withLock({ $0[id] }) { return known }
        let found = ConnectionOwner.find(of: channel)
        findings.withLock { $0[id] = found }
        // The connection stays until this was done: its id must not be another's by then.
        channel.closeFuture.whenComplete { [self] _ in
            withExtendedLifetime(channel) { findings.withLock { $0[id] = nil } }
        }
        return found
    }
}
