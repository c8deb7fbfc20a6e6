import Glibc
import NIOCore

/// Whose process is at the other end of a connection on loopback, by what the kernel says.
///
/// Every user of a host can connect to its loopback, and what a browser shows there can reach others: cookies know no ports, so a page that another user
/// serves on 127.0.0.1 is shown the node's cookie. With it they get no further than their own processes, which this tells apart.
///
/// The kernel is asked for the one connection (`sock_diag(7)`). That costs the same however many connections the host has, so nobody makes it slow by
/// opening many.
enum ConnectionOwner {
    /// What the kernel says.
    enum Finding: Hashable, Sendable {
        /// A process of this user has the other end.
        case user(UInt32)
        /// No process has the other end any more.
        case nobody
        /// The kernel does not say.
        case unknown(reason: String)
    }

    /// One end of a connection.
    struct End: Hashable, Sendable {
        /// The address as the kernel holds it: 4 bytes or 16.
        let address: [UInt8]
        /// The port.
        let port: UInt16
    }

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

    /// Finds out whose process has the end `theirs` of a connection of which this process has the end `ours`.
    static func find(_ theirs: End, connectedTo ours: End) -> Finding {
        if let finding = ask(SocketQuestion(from: theirs, to: ours)) { return finding }
        // A kernel that cannot tell denies a connection that is there, too. This process has the other end of it.
        if case .user = ask(SocketQuestion(from: ours, to: theirs)) { return .nobody }
        return .unknown(reason: "the kernel does not tell of connections (sock_diag)")
    }

    /// Asks the kernel about a socket, and returns nil if it knows of none.
    private static func ask(_ question: SocketQuestion) -> Finding? {
        let descriptor = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), SocketQuestion.netlink)
        guard descriptor >= 0 else { return .unknown(reason: "AF_NETLINK: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard send(descriptor, question.bytes, question.bytes.count, 0) == question.bytes.count else {
            return .unknown(reason: "sock_diag: \(String(cString: strerror(errno)))")
        }
        // The kernel answers before it returns from the sending: there is nothing to wait for.
        var answer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &answer, answer.count, Int32(MSG_DONTWAIT))
        guard count >= 0 else { return .unknown(reason: "sock_diag: \(String(cString: strerror(errno)))") }
        return question.finding(in: answer[..<count])
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

    /// The same address as one of IPv6 (RFC 4291, section 2.5.5.2).
    var mapped: Self {
        guard address.count == 4 else { return self }
        return Self(address: Array(repeating: 0, count: 10) + [0xFF, 0xFF] + address, port: port)
    }
}
