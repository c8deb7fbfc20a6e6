import Glibc
import NIOCore

import enum StreamTransport.ConnectionOwner

/// Every user of a host can connect to its loopback, and what a browser shows there can reach others: cookies know no
/// ports, so a page that another user serves on 127.0.0.1 is shown the node's cookie. With it they get no further than
/// their own processes, which this tells apart.
extension ConnectionOwner {
    /// Whether a process that was found is answered: this user's, and root's, who can do everything anyway.
    static func admits(_ finding: Finding, self user: UInt32) -> Bool {
        switch finding {
        case .user(let owner): owner == user || owner == 0
        case .nobody, .unknown: false
        }
    }

    /// Finds out whose process has the other end of a connection.
    static func find(of channel: any Channel) -> Finding {
        guard let theirs = channel.remoteAddress.flatMap(End.init), let ours = channel.localAddress.flatMap(End.init)
        else { return .unknown(reason: "the connection has no addresses") }
        return find(theirs, connectedTo: ours)
    }
}

extension ConnectionOwner.End {
    /// The end that a socket's address names, if it is one of IP.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let port = address.port.flatMap(UInt16.init(exactly:)) else { return nil }
        let isV6 = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isV6 ? 16 : 4)
        guard inet_pton(isV6 ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        self.init(address: bytes, port: port)
    }
}
